import { type Clock, systemClock } from '../../core/clock.js';
import { StreamFailure, type StreamSource } from '../sources/stream-source.js';
import { explainFfmpeg, explainLines, maskLine } from './explain-ffmpeg.js';
import { decodingArguments, type FrameSize, usualAnalysisMs } from './ffmpeg-arguments.js';
import { type FfmpegOptions, FfmpegProcess } from './ffmpeg-process.js';
import type { Ffmpeg } from './find-ffmpeg.js';
import type { Frame, Pace } from './frame.js';
import { openFramePipe } from './frame-pipe.js';
import { FrameReader } from './frame-reader.js';
import { parseFrameInfo, parseVideoInfo, type VideoInfo } from './log-lines.js';

interface DecoderLimits {
  /** Address space of ffmpeg; 0: no limit. */
  readonly maxMemoryBytes: number;
  /** Of one image of the source. */
  readonly maxPixels: number;
  /** Of decoding. */
  readonly threads: number;
  /** Scheduling priority of ffmpeg, 0 to 19. */
  readonly niceness: number;
  /** Longest time that `next` waits for a frame of a file, of which ffmpeg may never write another. */
  readonly fileTimeoutMs: number;
}

const defaultDecoderLimits: DecoderLimits = {
  maxMemoryBytes: 1536 * 1024 * 1024,
  maxPixels: 8192 * 8192,
  threads: 2,
  niceness: 5,
  fileTimeoutMs: 120_000,
};

export interface DecoderOptions {
  readonly source: StreamSource;
  readonly ffmpeg: Ffmpeg;
  /** Frames a second at most, 0.1 to 30. */
  readonly fps: number;
  /** Decodes key frames alone, which takes a fraction of the CPU; there is one every few seconds. */
  readonly keyFramesOnly?: boolean;
  /** Live: where in an interval of the clock a frame is chosen, 0 to 1; streams with different ones do not burden the machine all at once. */
  readonly phase?: number;
  /** Of the frames; 1280 unless given. */
  readonly maxWidth?: number;
  /**
   * In the place of `maxWidth`: the size of every frame, with bars around images of another shape. Without it, decoding ends where the
   * source changes its size.
   */
  readonly frameSize?: FrameSize;
  readonly pace: Pace;
  /** Live: of what comes, for how long ffmpeg looks for video before it begins; a second unless given. */
  readonly analysisMs?: number;
  readonly limits?: Partial<DecoderLimits>;
  /** Lines of ffmpeg's log that are warnings or errors, without addresses and secrets: the first ones, then one a second at most. */
  readonly onLog?: (line: string) => void;
  /** Every frame as it is complete, also one that nobody asks for in time. */
  readonly onFrame?: (frame: Frame) => void;
  /** The stream as it came, as MPEG-TS; left out: it is not copied. Never called for MJPEG and raw images. */
  readonly onCopy?: (chunk: Buffer) => void;
  /** What the source sends, as soon as it is known. */
  readonly onVideo?: (video: VideoInfo) => void;
  /** Texts that no log line may hold, such as the password of the camera. */
  readonly secrets?: readonly string[];
  readonly clock?: Clock;
}

/** How a decoder ended: the source ended, its images changed their size, something failed, or `close` was called. */
export type DecoderEnd =
  | { readonly kind: 'ended' | 'resized' | 'closed' }
  | { readonly kind: 'failed'; readonly failure: StreamFailure };

export interface DecoderStats {
  /** Decoded so far, and how many of them were asked for. */
  readonly frames: number;
  readonly delivered: number;
  /** By performance.now, which nobody sets. */
  readonly lastFrameAtMs: number | null;
  readonly startedAtMs: number;
  readonly video: VideoInfo | null;
  /** What the relay or ffmpeg has noticed so far that may be why no frames come, or null. */
  readonly problem: StreamFailure | null;
  /** Leader of the process group that ffmpeg is in. */
  readonly pid: number | undefined;
}

export type Decoder = Awaited<ReturnType<typeof openDecoder>>;

const keptLines = 20;

/** Starts decoding. Rejects with a `StreamFailure` when it cannot begin. */
export async function openDecoder(options: DecoderOptions, signal: AbortSignal) {
  const {
    source,
    ffmpeg,
    pace,
    clock = systemClock,
    onFrame,
    onCopy,
    onVideo,
    onLog,
    secrets = [],
  } = options;
  const limits = { ...defaultDecoderLimits, ...options.limits };
  const opened = await source.open(signal);
  const log: string[] = [];
  let loggedLines = 0;
  let loggedAtMs = 0;
  let why: 'resized' | 'broken' | 'closed' | 'late' | null = null;
  let delivered = 0;
  let lastFrameAtMs: number | null = null;
  let video: VideoInfo | null = null;
  const startedAtMs = performance.now();

  const takeLine = (line: string, level: string) => {
    const info = parseFrameInfo(line);
    if (info !== null) return reader.pushInfo(info);
    const found = video === null ? parseVideoInfo(line) : null;
    if (found !== null) {
      video = found;
      onVideo?.(found);
    }
    if (level === 'info' || level === 'verbose' || isNoise(line)) return;
    const masked = maskLine(line, secrets);
    log.push(masked);
    if (log.length > keptLines) log.shift();
    loggedLines += 1;
    if (loggedLines > keptLines && performance.now() - loggedAtMs < 1000) return;
    loggedAtMs = performance.now();
    onLog?.(masked);
  };

  const pipe = await openFramePipe().catch(() => null);
  const child = startFfmpeg({
    ffmpeg,
    args: decodingArguments({
      ffmpeg,
      inputArgs: opened.inputArgs,
      fps: options.fps,
      keyFramesOnly: options.keyFramesOnly ?? false,
      phase: options.phase ?? 0,
      maxWidth: options.maxWidth ?? 1280,
      frameSize: options.frameSize ?? null,
      maxPixels: limits.maxPixels,
      threads: limits.threads,
      pace,
      analysisMs: options.analysisMs ?? usualAnalysisMs,
      copyArgs: onCopy === undefined ? null : opened.copyArgs,
    }),
    input: opened.inputText,
    inputPath: opened.inputPath ?? null,
    frames: pipe?.childEnd ?? null,
    maxMemoryBytes: limits.maxMemoryBytes,
    niceness: limits.niceness,
    onLine: takeLine,
  });
  if (child === null || pipe === null) {
    pipe?.input.destroy();
    pipe?.childEnd.destroy();
    await child?.close();
    await opened.close();
    throw new StreamFailure('decoder', 'ffmpeg could not be started');
  }
  const { input: frames } = pipe;
  const [grey, copy] = child.outputs;
  if (onCopy === undefined) copy.resume();
  else copy.on('data', onCopy);
  const stop = () => {
    frames.destroy();
    child.close().catch(() => undefined);
  };
  const reader = new FrameReader({
    frames,
    grey,
    pace,
    mayResize: options.frameSize !== undefined,
    maxPixels: limits.maxPixels,
    clock,
    onFrame(frame) {
      lastFrameAtMs = performance.now();
      onFrame?.(frame);
    },
    onEnd(reason) {
      why ??= reason;
      stop();
    },
  });

  const end = async (): Promise<DecoderEnd> => {
    const exitCode = await child.exited;
    const noticed = opened.failure();
    await opened.close();
    // What it has written is still to be read.
    await frames.closed;
    reader.finish();
    if (why === 'closed' || why === 'resized') return { kind: why };
    if (why === 'late')
      return { kind: 'failed', failure: new StreamFailure('timeout', 'decoding takes too long') };
    if (noticed !== null) return { kind: 'failed', failure: noticed };
    if (why === 'broken') {
      return {
        kind: 'failed',
        failure: new StreamFailure('decoder', 'ffmpeg wrote images that cannot be read'),
      };
    }
    if (exitCode === 0 && reader.count > 0) return { kind: 'ended' };
    return { kind: 'failed', failure: explainFfmpeg(log, exitCode) };
  };
  const ended = end();
  const giveUp = () => {
    why ??= 'late';
    stop();
  };

  return {
    /** Resolves when ffmpeg is gone and everything is released. */
    ended,
    /** The next frame, or null at the end. One call at a time. Rejects with a `StreamFailure`, or the signal's reason. */
    async next(nextSignal: AbortSignal): Promise<Frame | null> {
      const timer = pace === 'live' ? undefined : setTimeout(giveUp, limits.fileTimeoutMs);
      const frame = await reader.next(nextSignal).finally(() => clearTimeout(timer));
      if (frame !== null) {
        delivered += 1;
        return frame;
      }
      const result = await ended;
      if (result.kind === 'failed') throw result.failure;
      return null;
    },
    stats: (): DecoderStats => ({
      frames: reader.count,
      delivered,
      lastFrameAtMs,
      startedAtMs,
      video,
      problem: opened.failure() ?? explainLines(log),
      pid: child.pid,
    }),
    /** Resolves as `ended` does. */
    async close() {
      why ??= 'closed';
      stop();
      await ended;
    },
  };
}

/** What it says of every MJPEG camera. */
const isNoise = (line: string) => line.includes('deprecated pixel format used');

/** Null where the machine has no more processes or descriptors. */
function startFfmpeg(options: FfmpegOptions): FfmpegProcess | null {
  try {
    return new FfmpegProcess(options);
  } catch {
    return null;
  }
}
