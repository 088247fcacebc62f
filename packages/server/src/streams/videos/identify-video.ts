import { ServiceError } from '../../core/service-error.js';

/** Containers that are taken, by their content and never by a name. */
type VideoContainer = 'mp4' | 'mov' | 'mkv' | 'webm' | 'avi' | 'ts';

export const videoMediaTypes: Readonly<Record<VideoContainer, string>> = {
  mp4: 'video/mp4',
  mov: 'video/quicktime',
  mkv: 'video/x-matroska',
  webm: 'video/webm',
  avi: 'video/x-msvideo',
  ts: 'video/mp2t',
};

/** Three packets of MPEG-TS are in it, and the type of an EBML document. */
const headBytes = 1024;
const syncByte = 0x47;
/** Where packets begin: as broadcast, with error correction (DVB), and behind a time stamp each, as camcorders write (AVCHD). */
const packets = [
  { first: 0, bytes: 188 },
  { first: 0, bytes: 204 },
  { first: 4, bytes: 192 },
];

/** By the first kilobyte of a file; null for what is none of them. */
export function containerOf(head: Uint8Array): VideoContainer | null {
  const text = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, headBytes)).toString(
    'latin1',
  );
  const box = text.slice(4, 8);
  if (box === 'ftyp') return text.slice(8, 12) === 'qt  ' ? 'mov' : 'mp4';
  // QuickTime files of before that box begin with one of these.
  if (['moov', 'mdat', 'wide', 'free', 'skip', 'pnot'].includes(box)) return 'mov';
  if (text.startsWith('\x1aE\xdf\xa3')) return /\x42\x82.{1,8}webm/s.test(text) ? 'webm' : 'mkv';
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'AVI ') return 'avi';
  const isTs = packets.some(({ first, bytes }) =>
    [0, 1, 2].every((packet) => head[first + packet * bytes] === syncByte),
  );
  return isTs ? 'ts' : null;
}

interface IdentifiedVideo {
  readonly container: VideoContainer;
  /** All of the file, from its beginning. */
  readonly content: AsyncIterable<Uint8Array>;
}

/**
 * Tells the container of a file that is still coming. Throws `no_file` for an empty one, `unsupported_video`, and what the content
 * throws. Whoever gets the content reads or returns it.
 */
export async function identifyVideo(content: AsyncIterable<Uint8Array>): Promise<IdentifiedVideo> {
  const pieces = content[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  let bytes = 0;
  while (bytes < headBytes) {
    const { done, value } = await pieces.next();
    if (done === true) break;
    first.push(value);
    bytes += value.byteLength;
  }
  const container = containerOf(Buffer.concat(first));
  if (container === null) {
    await pieces.return?.();
    if (bytes === 0) throw new ServiceError('no_file', 'the file is empty');
    throw new ServiceError(
      'unsupported_video',
      'the file is none of the videos that are read: MP4, MOV, MKV, WebM, AVI and MPEG-TS',
    );
  }
  return { container, content: joined(first, pieces) };
}

async function* joined(
  first: readonly Uint8Array[],
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* first;
    for (;;) {
      const { done, value } = await rest.next();
      if (done === true) return;
      yield value;
    }
  } finally {
    await rest.return?.();
  }
}
