import { createFileSource } from '../sources/file-source.js';
import { StreamFailure, type StreamSource } from '../sources/stream-source.js';
import type { VideoFiles } from '../video-files.js';

/** An uploaded video, again and again at the speed of its time. Its file is there while it is open. */
export function loopVideo(videos: VideoFiles, accountId: number, videoId: number): StreamSource {
  return {
    kind: 'video',
    async open(signal) {
      const held = await videos.hold(accountId, videoId);
      if (held === null)
        throw new StreamFailure('not-found', `there is no video ${videoId}, or no file of it yet`);
      const opened = await createFileSource(held.path).open(signal);
      return {
        ...opened,
        inputArgs: ['-re', '-stream_loop', '-1', ...opened.inputArgs],
        async close() {
          held.release();
          await opened.close();
        },
      };
    },
  };
}
