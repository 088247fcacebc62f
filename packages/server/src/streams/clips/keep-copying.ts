import { type Clock, systemClock } from '../../core/clock.js';
import { explainFfmpeg, maskLine } from '../decoding/explain-ffmpeg.js';
import { commonArgs, copyingOutput, liveArgs, usualAnalysisMs } from '../decoding/ffmpeg-arguments.js';
import { FfmpegProcess } from '../decoding/ffmpeg-process.js';
import type { Ffmpeg } from '../decoding/find-ffmpeg.js';
import { keepRunning, type RunEnd } from '../decoding/keep-running.js';
import { parseVideoInfo, type VideoInfo } from '../decoding/log-lines.js';
import { StreamFailure, type StreamSource } from '../sources/stream-source.js';

export interface KeepCopyingOptions {
  readonly source: StreamSource;
  readonly ffmpeg: Ffmpeg;
  /** MPEG-TS. */
  readonly onCopy: (chunk: Buffer) => void;
  /** The source is about to be opened: what comes next does not continue what came before. */
  readonly onRun: () => void;
  readonly onVideo?: (video: VideoInfo) => void;
  readonly onAway?: (failure: StreamFailure, retryAtMs: number) => void;
  readonly maxMemoryBytes: number;
  /** Longest time without anything; 20 s unless given. */
  readonly stallMs?: number;
  readonly secrets?: readonly string[];
  readonly firstRetryMs?: number;
  readonly maxRetryMs?: number;
  readonly clock?: Clock;
}

const keptLines = 20;

/** Copies a live source for ever without decoding it: the main stream of a camera whose other one is analysed. */
export function keepCopying(options: KeepCopyingOptions): { close(): Promise<void> } {
  const { source, ffmpeg, stallMs = 20_000, secrets = [], clock = systemClock } = options;
  const run = async (signal: AbortSignal): Promise<RunEnd> => {
    options.onRun();
    const opened = await source.open(signal);
    const { copyArgs } = opened;
    if (copyArgs === null) {
      await opened.close();
      throw new StreamFailure('settings', 'there are no clips of this kind of video');
    }
    const startedAtMs = performance.now();
    let lastAtMs = startedAtMs;
    let isStalled = false;
    const log: string[] = [];
    try {
      const child = new FfmpegProcess({
        ffmpeg,
        args: [...commonArgs, ...liveArgs(usualAnalysisMs), ...opened.inputArgs, ...copyingOutput(copyArgs)],
        input: opened.inputText,
        inputPath: opened.inputPath ?? null,
        frames: null,
        maxMemoryBytes: options.maxMemoryBytes,
        niceness: 5,
        onLine(line, level) {
          const video = parseVideoInfo(line);
          if (video !== null) options.onVideo?.(video);
          if (level === 'info') return;
          log.push(maskLine(line, secrets));
          if (log.length > keptLines) log.shift();
        },
      });
      const [grey, copy] = child.outputs;
      grey.resume();
      copy.on('data', (chunk: Buffer) => {
        lastAtMs = performance.now();
        options.onCopy(chunk);
      });
      const close = () => void child.close();
      const watch = setInterval(
        () => {
          isStalled ||= performance.now() - lastAtMs > stallMs;
          if (isStalled) close();
        },
        Math.min(500, stallMs / 4),
      );
      signal.addEventListener('abort', close, { once: true });
      if (signal.aborted) close();
      try {
        const exitCode = await child.exited;
        const stall = isStalled ? new StreamFailure('timeout', 'the source sends nothing') : null;
        return {
          failure: stall ?? opened.failure() ?? explainFfmpeg(log, exitCode),
          steadyMs: lastAtMs - startedAtMs,
        };
      } finally {
        clearInterval(watch);
        signal.removeEventListener('abort', close);
      }
    } finally {
      await opened.close();
    }
  };
  const { firstRetryMs = 1000, maxRetryMs = 60_000, onAway = () => undefined } = options;
  return keepRunning({ run, onAway, firstRetryMs, maxRetryMs, clock });
}
