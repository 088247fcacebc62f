import { EventEmitter, once } from 'node:events';
import { systemClock } from '../../core/clock.js';
import { mayComeLater, StreamFailure } from '../sources/stream-source.js';
import { longAnalysisMs, usualAnalysisMs } from './ffmpeg-arguments.js';
import type { Frame } from './frame.js';
import { createFrozenDetector } from './frozen.js';
import { keepRunning, type RunEnd } from './keep-running.js';
import {
  type Decoder,
  type DecoderEnd,
  type DecoderOptions,
  type DecoderStats,
  openDecoder,
} from './open-decoder.js';

export type StreamState =
  /** ffmpeg is started, and no frame has come yet. */
  | { readonly kind: 'connecting' }
  | { readonly kind: 'running' }
  /** The source repeats one image. It is opened again now and then; frames come all the same. */
  | { readonly kind: 'frozen' }
  /** It failed, and is tried again at `retryAtMs`. */
  | { readonly kind: 'away'; readonly failure: StreamFailure; readonly retryAtMs: number }
  | { readonly kind: 'closed' };

export interface KeepDecodingOptions extends Omit<DecoderOptions, 'pace'> {
  /** The first frame must come within this time; 20 s unless given. */
  readonly firstFrameMs?: number;
  /** Longest time between frames; 10 s unless given, and never less than three intervals. Key frames alone: 60 s at least. */
  readonly stallMs?: number;
  /** After this time of identical images the source counts as frozen; 30 s unless given. */
  readonly frozenAfterMs?: number;
  /** First and longest time until the next attempt; 1 s and 60 s unless given. */
  readonly firstRetryMs?: number;
  readonly maxRetryMs?: number;
  readonly onState?: (state: StreamState) => void;
  /** The source is about to be opened: what `onCopy` is given next does not continue what it was given. */
  readonly onRun?: () => void;
}

export interface KeptDecoder {
  /** The next frame, whenever the source has one; null after `close`. One call at a time. Rejects with the signal's reason. */
  next(signal: AbortSignal): Promise<Frame | null>;
  state(): StreamState;
  /** Of the present run of ffmpeg, or null between two; `restarts` counts all. */
  stats(): (DecoderStats & { readonly restarts: number }) | null;
  /** Resolves when ffmpeg is gone. */
  close(): Promise<void>;
}

const keyFrameStallMs = 60_000;
const repeats = new StreamFailure('timeout', 'the source repeats one frame');

/** Decodes a live source for ever: whatever ends it, it is started again after a time that doubles with each failure. */
export function keepDecoding(options: KeepDecodingOptions): KeptDecoder {
  const { clock = systemClock, fps, keyFramesOnly = false, firstFrameMs = 20_000 } = options;
  const { firstRetryMs = 1000, maxRetryMs = 60_000 } = options;
  const stallMs = Math.max(options.stallMs ?? 10_000, 3000 / fps, keyFramesOnly ? keyFrameStallMs : 0);
  const changes = new EventEmitter().setMaxListeners(0);
  const frozen = createFrozenDetector(options.frozenAfterMs ?? 30_000);
  let state: StreamState = { kind: 'connecting' };
  let current: Decoder | null = null;
  let isClosed = false;
  let analysisMs = usualAnalysisMs;

  const enter = (next: StreamState) => {
    if (next.kind === state.kind && next.kind !== 'away') return;
    // It stays frozen while it is opened again for that.
    if (
      state.kind === 'frozen' &&
      (next.kind === 'connecting' || (next.kind === 'away' && next.failure === repeats))
    ) {
      return;
    }
    state = next;
    options.onState?.(next);
  };
  const setCurrent = (decoder: Decoder | null) => {
    current = decoder;
    changes.emit('change');
  };

  const run = async (signal: AbortSignal): Promise<RunEnd> => {
    let firstAtMs: number | null = null;
    let failure: StreamFailure | null = null;
    let isFrozen = false;
    enter({ kind: 'connecting' });
    options.onRun?.();
    const decoder = await openDecoder(
      {
        ...options,
        ...{ pace: 'live', analysisMs },
        onFrame(frame) {
          firstAtMs ??= performance.now();
          const look = frozen.look(frame, performance.now());
          isFrozen ||= look === 'reopen';
          enter({ kind: look === 'moving' ? 'running' : 'frozen' });
          options.onFrame?.(frame);
        },
      },
      signal,
    );
    const close = () => void decoder.close();
    const watch = setInterval(
      () => {
        failure ??= findStall(decoder.stats(), {
          ...{ nowMs: performance.now(), stallMs },
          firstFrameMs: firstFrameMs + analysisMs - usualAnalysisMs,
        });
        if (isFrozen) failure ??= repeats;
        if (failure !== null) close();
      },
      Math.min(500, firstFrameMs / 4, stallMs / 4),
    );
    signal.addEventListener('abort', close, { once: true });
    try {
      setCurrent(decoder);
      if (signal.aborted) close();
      const end = await decoder.ended;
      const lastAtMs = decoder.stats().lastFrameAtMs;
      // Every other attempt is a short one: most sources that have nothing now have nothing later either.
      const isEarly = lastAtMs === null && end.kind === 'failed' && mayComeLater(end.failure);
      if (lastAtMs === null)
        analysisMs = isEarly && analysisMs === usualAnalysisMs ? longAnalysisMs : usualAnalysisMs;
      return {
        failure: failure ?? failureOf(end),
        steadyMs: firstAtMs === null || lastAtMs === null ? 0 : lastAtMs - firstAtMs,
      };
    } finally {
      clearInterval(watch);
      signal.removeEventListener('abort', close);
      setCurrent(null);
    }
  };

  const kept = keepRunning({
    run,
    onAway: (failure, retryAtMs) => enter({ kind: 'away', failure, retryAtMs }),
    firstRetryMs,
    maxRetryMs,
    clock,
  });

  return {
    async next(signal) {
      for (;;) {
        signal.throwIfAborted();
        const decoder = current;
        const frame = await decoder?.next(signal).catch(ignoreFailure);
        if (frame != null) return frame;
        if (isClosed) return null;
        if (current === decoder) await once(changes, 'change', { signal });
      }
    },
    state: () => state,
    stats: () => (current === null ? null : { ...current.stats(), restarts: kept.restarts }),
    async close() {
      isClosed = true;
      await kept.close();
      state = { kind: 'closed' };
      changes.emit('change');
      options.onState?.(state);
    },
  };
}

/** The state says it. */
function ignoreFailure(error: unknown): null {
  if (error instanceof StreamFailure) return null;
  throw error;
}

function findStall(
  { lastFrameAtMs, startedAtMs, problem }: DecoderStats,
  times: { readonly nowMs: number; readonly firstFrameMs: number; readonly stallMs: number },
): StreamFailure | null {
  const { nowMs, firstFrameMs, stallMs } = times;
  if (lastFrameAtMs === null) {
    if (nowMs - startedAtMs <= firstFrameMs) return null;
    const late = `no frame came within ${toSeconds(firstFrameMs)}`;
    if (problem === null) return new StreamFailure('timeout', late);
    return new StreamFailure(problem.code, `${late}: ${problem.message}`);
  }
  if (nowMs - lastFrameAtMs <= stallMs) return null;
  return new StreamFailure('timeout', `no frame has come for ${toSeconds(stallMs)}`);
}

const toSeconds = (ms: number) => `${Math.round(ms / 100) / 10} s`;

/** Null when the source goes on, in another size. */
function failureOf(end: DecoderEnd): StreamFailure | null {
  if (end.kind === 'resized') return null;
  return end.kind === 'failed'
    ? end.failure
    : new StreamFailure('unreachable', 'the source ended the stream');
}
