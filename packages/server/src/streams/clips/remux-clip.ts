import { explainFfmpeg, maskLine } from '../decoding/explain-ffmpeg.js';
import { FfmpegProcess, writtenFile } from '../decoding/ffmpeg-process.js';
import type { Ffmpeg } from '../decoding/find-ffmpeg.js';
import { StreamFailure } from '../sources/stream-source.js';

interface RemuxOptions {
  readonly ffmpeg: Ffmpeg;
  /** MPEG-TS. */
  readonly input: AsyncIterable<Buffer>;
  /** An absolute path of a file to be written. */
  readonly outputPath: string;
  /** As ffmpeg calls it; one of `clipCodecs`. */
  readonly codec: string;
  readonly maxMemoryBytes: number;
  /** After the end of the input. */
  readonly timeoutMs: number;
}

/** What browsers play in MP4. Other video (MJPEG, raw images of USB cameras) has no clips: it would have to be encoded. */
export const clipCodecs: ReadonlySet<string> = new Set(['h264', 'hevc']);

const keptLines = 20;

/**
 * Writes a clip as MP4 with its index in front, without encoding anything: it plays while it loads. Rejects with a `StreamFailure`, or
 * the signal's reason; the file may then be there in part.
 */
export async function remuxClip(options: RemuxOptions, signal: AbortSignal): Promise<void> {
  const { ffmpeg, input, outputPath, codec, maxMemoryBytes, timeoutMs } = options;
  if (!clipCodecs.has(codec)) throw new StreamFailure('settings', `there are no clips of ${codec} video`);
  signal.throwIfAborted();
  const log: string[] = [];
  let isLate = false;
  let timer: NodeJS.Timeout | undefined;
  const timed = async function* (): AsyncGenerator<Buffer> {
    yield* input;
    timer = setTimeout(() => {
      isLate = true;
      child.close().catch(() => undefined);
    }, timeoutMs);
  };
  const child = new FfmpegProcess({
    ffmpeg,
    args: [
      ...['-hide_banner', '-nostdin', '-nostats', '-loglevel', 'level+warning', '-y'],
      ...[
        '-protocol_whitelist',
        'pipe,fd,file',
        '-f',
        'mpegts',
        '-i',
        'pipe:5',
        '-map',
        '0:v:0',
        '-c',
        'copy',
      ],
      // Players of Apple know H.265 by this name alone.
      ...(codec === 'hevc' ? ['-tag:v', 'hvc1'] : []),
      ...['-movflags', '+faststart', '-f', 'mp4', writtenFile],
    ],
    input: timed(),
    outputPath,
    frames: null,
    maxMemoryBytes,
    niceness: 10,
    onLine(line) {
      log.push(maskLine(line, [outputPath]));
      if (log.length > keptLines) log.shift();
    },
  });
  const close = () => void child.close();
  signal.addEventListener('abort', close, { once: true });
  try {
    for (const output of child.outputs) output.resume();
    const exitCode = await child.exited;
    signal.throwIfAborted();
    if (isLate) throw new StreamFailure('timeout', 'writing the clip took too long');
    if (exitCode !== 0) throw explainFfmpeg(log, exitCode);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', close);
    await child.close();
  }
}
