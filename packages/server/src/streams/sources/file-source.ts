import { openedFile, type StreamSource } from './stream-source.js';

/**
 * A video file at a path that the service itself chose. Only containers that hold their video themselves are opened: a playlist under
 * the name of a video names nothing that would be read.
 */
export function createFileSource(path: string): StreamSource {
  return {
    kind: 'video',
    open: async () => ({
      inputArgs: [
        ...['-protocol_whitelist', 'file', '-format_whitelist', 'mov,matroska,avi,mpegts'],
        ...['-i', openedFile],
      ],
      inputPath: path,
      copyArgs: [],
      inputText: null,
      failure: () => null,
      close: async () => {},
    }),
  };
}
