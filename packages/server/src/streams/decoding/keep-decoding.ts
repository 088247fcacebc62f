import { EventEmitter, once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { systemClock } from '../../core/clock.js';
import { StreamFailure } from '../sources/stream-source.js';
import type { Frame } from './frame.js';
import { createFrozenDetector } from './frozen.js';
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
  /** The source repeats one picture. */
  | { readonly kind: 'frozen' }
  /** It failed, and is tried again at `retryAtMs`. */
  | { readonly kind: 'away'; readonly failure: StreamFailure; readonly retryAtMs: number }
  | { readonly kind: 'closed' };

export interface KeepDecodingOptions extends Omit<DecoderOptions, 'pace'> {
  /** The first frame must come within this time; 20 s unless given. */
  readonly firstFrameMs?: number;
  /** Longest time between frames; 10 s unless given, and never less than three intervals. Key frames alone: 60 s at least. */
  readonly stallMs?: number;
  /** After this time of identical pictures the source counts as frozen; 30 s unless given. */
  readonly frozenAfterMs?: number;
  /** First and longest time until the next attempt; 1 s and 60 s unless given. */
  readonly firstRetryMs?: number;
  readonly maxRetryMs?: number;
  readonly onState?: (state: StreamState) => void;
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
/** After so long a time of frames, the next failure is a first one again. */
const steadyMs = 60_000;

/** Decodes a live source for ever: whatever ends it, it is started again after a time that doubles with each failure. */
export function keepDecoding(options: KeepDecodingOptions): KeptDecoder {
  const { clock = systemClock, fps, keyFramesOnly = false, onFrame, onState } = options;
  const { firstFrameMs = 20_000, frozenAfterMs = 30_000, firstRetryMs = 1000, maxRetryMs = 60_000 } = options;
  const stallMs = Math.max(options.stallMs ?? 10_000, 3000 / fps, keyFramesOnly ? keyFrameStallMs : 0);
  const stop = new AbortController();
  const changes = new EventEmitter().setMaxListeners(0);
  let state: StreamState = { kind: 'connecting' };
  let current: Decoder | null = null;
  let restarts = 0;
  const frozen = createFrozenDetector(frozenAfterMs);

  const enter = (next: StreamState) => {
    if (next.kind === state.kind && next.kind !== 'away') return;
    state = next;
    onState?.(next);
  };

  /** One run of ffmpeg: why it ended, and how long frames came. */
  const runOnce = async (): Promise<{ readonly end: DecoderEnd; readonly steadyMs: number }> => {
    let firstAtMs: number | null = null;
    let failure: StreamFailure | null = null;
    let isFrozen = false;
    const startedAtMs = clock();
    const decoder = await openDecoder(
      {
        ...options,
        pace: 'live',
        onFrame(frame) {
          firstAtMs ??= clock();
          const look = frozen.look(frame, clock());
          isFrozen ||= look === 'reopen';
          enter({ kind: look === 'moving' ? 'running' : 'frozen' });
          onFrame?.(frame);
        },
      },
      stop.signal,
    );
    current = decoder;
    changes.emit('change');
    const watch = setInterval(
      () => {
        const lastAtMs = decoder.stats().lastFrameAtMs;
        if (lastAtMs === null && clock() - startedAtMs > firstFrameMs) {
          failure = new StreamFailure('timeout', `no picture came within ${seconds(firstFrameMs)}`);
        } else if (lastAtMs !== null && clock() - lastAtMs > stallMs) {
          failure = new StreamFailure('timeout', `no picture has come for ${seconds(stallMs)}`);
        } else if (isFrozen) {
          failure = new StreamFailure('timeout', 'the source repeats one picture');
        }
        if (failure !== null) decoder.close().catch(() => undefined);
      },
      Math.min(500, firstFrameMs / 4, stallMs / 4),
    );
    const close = () => void decoder.close();
    stop.signal.addEventListener('abort', close, { once: true });
    try {
      if (stop.signal.aborted) close();
      const end = await decoder.ended;
      return {
        end: failure === null ? end : { kind: 'failed', failure },
        steadyMs: firstAtMs === null ? 0 : (decoder.stats().lastFrameAtMs ?? firstAtMs) - firstAtMs,
      };
    } finally {
      clearInterval(watch);
      stop.signal.removeEventListener('abort', close);
      current = null;
      changes.emit('change');
    }
  };

  const runAll = async () => {
    let failures = 0;
    while (!stop.signal.aborted) {
      if (state.kind !== 'frozen') enter({ kind: 'connecting' });
      const { end, steadyMs: lastedMs } = await runOnce().catch(toFailedRun);
      if (stop.signal.aborted) break;
      restarts += 1;
      // The frames of another size come as soon as ffmpeg has begun anew.
      if (end.kind === 'resized') continue;
      failures = lastedMs >= steadyMs ? 1 : failures + 1;
      const delayMs =
        Math.min(maxRetryMs, firstRetryMs * 2 ** Math.min(failures - 1, 20)) * (0.8 + 0.4 * Math.random());
      if (state.kind !== 'frozen')
        enter({ kind: 'away', failure: failureOf(end), retryAtMs: clock() + delayMs });
      await wait(delayMs, undefined, { signal: stop.signal }).catch(() => undefined);
    }
    enter({ kind: 'closed' });
    changes.emit('change');
  };
  const finished = runAll();

  return {
    async next(signal) {
      for (;;) {
        signal.throwIfAborted();
        if (stop.signal.aborted) return null;
        const decoder = current;
        const frame = await decoder?.next(signal).catch((error: unknown) => {
          if (error instanceof StreamFailure) return null;
          throw error;
        });
        if (frame != null) return frame;
        if (current === decoder && !stop.signal.aborted) await once(changes, 'change', { signal });
      }
    },
    state: () => state,
    stats: () => (current === null ? null : { ...current.stats(), restarts }),
    async close() {
      stop.abort();
      await finished;
    },
  };
}

const seconds = (ms: number) => `${Math.round(ms / 1000)} s`;

function failureOf(end: DecoderEnd): StreamFailure {
  return end.kind === 'failed'
    ? end.failure
    : new StreamFailure('unreachable', 'the source ended the stream');
}

function toFailedRun(error: unknown): { readonly end: DecoderEnd; readonly steadyMs: number } {
  const failure =
    error instanceof StreamFailure
      ? error
      : new StreamFailure('decoder', 'the decoder could not be started', { cause: error });
  return { end: { kind: 'failed', failure }, steadyMs: 0 };
}
