import { EngineError } from '@lynceus/engine';
import { toServiceError } from '../../core/engine-errors.js';
import type { WithKeyLock } from '../../core/keyed-mutex.js';
import type { Metrics } from '../../core/metrics.js';
import { ServiceError } from '../../core/service-error.js';
import type { Spool } from '../../intake/spool.js';
import type { StreamState } from '../decoding/keep-decoding.js';
import { createFrameFiles } from '../frame-files.js';
import type { Media } from '../media.js';
import type { LivePreview } from '../previews/live-preview.js';
import type { StreamForRunning } from '../streams.js';
import type { FpsBudget } from './fps-budget.js';
import { createFrameRate } from './frame-rate.js';
import { createFrameLooker, type LookAtFramesDeps } from './look-at-frames.js';
import { type OpenFramesDeps, openFrames } from './open-frames.js';
import { createClipRecorder } from './record-clips.js';
import type { EventRecorder } from './record-events.js';
import type { TextRecorder } from './record-texts.js';
import type { StateWriter } from './write-state.js';

/** Why a run of a stream ends. */
export type EndOfRun =
  /** Its settings are others now. */
  | 'changed'
  /** It was disabled or deleted. */
  | 'off'
  | 'off-schedule'
  /** A stream that waits gets its place. */
  | 'no-room'
  /** The account has no frame left today. */
  | 'used-up'
  /** Another service runs it. */
  | 'lost'
  | 'shutdown';

/** What a service has for all streams that it runs. */
export interface RunStreamDeps
  extends OpenFramesDeps,
    Pick<LookAtFramesDeps, 'runner' | 'maxPixels' | 'slots'> {
  readonly spool: Pick<Spool, 'of'>;
  readonly media: Media;
  readonly budget: FpsBudget;
  /** What depends on the settings of the stream. */
  readonly prepare: (stream: StreamForRunning) => Pick<LookAtFramesDeps, 'analyse' | 'observer' | 'isMasked'>;
  readonly withClipWriting: WithKeyLock;
  readonly metrics: { readonly streams: Pick<Metrics['streams'], 'countFrames' | 'countDecoderRestart'> };
  readonly onFailure: (error: unknown, message: string) => void;
}

/** What one stream has beyond its runs. */
export interface StreamSession extends Pick<LookAtFramesDeps, 'allowance' | 'preview'> {
  readonly preview: LivePreview;
  readonly recorder: EventRecorder;
  readonly texts: TextRecorder;
  readonly state: Pick<StateWriter, 'set'>;
  /** Handed the tracker's `refuse` of the present run. */
  readonly setRefuse: (refuse: (trackId: number, personId: number) => void) => void;
}

/** Without frames for so long, objects are missed. */
const missAfterMs = 5000;
/** Frames in a row that cannot be analysed, after which the run has failed. */
const maxFailures = 5;
const clipsMs = 10_000;
const checkNamesMs = 2000;

/** Tracks go on only within a run; those that are open at its end are ended, but for these. */
const leavesTracks: ReadonlySet<unknown> = new Set<EndOfRun>(['lost', 'shutdown']);

/**
 * Decodes and analyses a stream with the settings that it has, until the signal fires with an `EndOfRun`. Rejects with a `StreamFailure` or
 * ServiceError where it cannot go on; its message is for the stream's owner.
 */
export async function runStream(
  stream: StreamForRunning,
  deps: RunStreamDeps,
  session: StreamSession,
  signal: AbortSignal,
): Promise<void> {
  const { accountId, settings } = stream;
  const { clock, media, ffmpeg, onFailure } = deps;
  const { recorder, state, preview, allowance } = session;
  const spool = deps.spool.of(accountId);
  const { observer, ...prepared } = deps.prepare(stream);
  const clips = settings.clips
    ? createClipRecorder({
        ...{ ffmpeg, spool, media, accountId, settings, recorder, clock },
        maxMemoryBytes: deps.settings.streamDecoderMaxBytes,
        withWriting: deps.withClipWriting,
        onFailure: (error) => onFailure(error, 'a clip of a stream is left out'),
      })
    : null;
  const rate = createFrameRate();
  const { countFrames, countDecoderRestart } = deps.metrics.streams;
  const files = createFrameFiles(spool);
  // First, for it throws where the source cannot be opened: nothing is to be left by then.
  const frames = openFrames(deps, stream, clips, {
    onState: (now) => state.set(statusOf(now)),
    onRestart: countDecoderRestart,
  });
  const share = deps.budget.join(settings.fps);
  const looker = createFrameLooker({
    ...deps,
    ...prepared,
    ...{ accountId, settings, observer, files, share, allowance, preview },
    onAnalysed() {
      rate.add();
      countFrames('analysed', 1);
    },
    onLeftOut() {
      // With the whole share it is a frame that came early.
      if (deps.budget.share < 1) countFrames('left_out', 1);
    },
    onTexts: session.texts.record,
    onEvents(events, frame) {
      const ended = events.flatMap(({ kind, track }) =>
        kind === 'end' ? (recorder.find(track.id) ?? []) : [],
      );
      recorder.record(events, settings.snapshots ? frame : { ...frame, encode: async () => null });
      if (clips === null) return;
      for (const { kind, track } of events) {
        const started = kind === 'start' ? recorder.find(track.id) : undefined;
        if (started) clips.begin(started);
      }
      for (const track of ended) clips.end(track);
    },
  });
  session.setRefuse((trackId, personId) => observer.refuse(trackId, personId));
  let nextIndex = 0;
  let lastFrameMs = performance.now();
  let isLooking = false;
  const checkNames = settings.namesPeople
    ? setInterval(() => {
        recorder
          .checkNames()
          .catch((error: unknown) => onFailure(error, 'names of a stream are checked later'));
      }, checkNamesMs)
    : undefined;
  const watch = setInterval(() => {
    state.set({ analysedFps: rate.read() });
    if (!isLooking && performance.now() - lastFrameMs > missAfterMs) looker.miss(clock());
  }, 1000);
  try {
    for (let failures = 0; ; ) {
      const frame = await frames.decoder.next(signal);
      if (frame === null) return;
      lastFrameMs = performance.now();
      // Frames that came while one before was analysed; a decoder that was started again counts from 0.
      if (frame.index > nextIndex && nextIndex > 0) countFrames('left_out', frame.index - nextIndex);
      nextIndex = frame.index + 1;
      state.set({ width: frame.width, height: frame.height, lastFrameAtMs: frame.atMs });
      isLooking = true;
      try {
        await looker.take(frame, signal);
        failures = 0;
      } catch (error) {
        signal.throwIfAborted();
        if (isBusy(error)) {
          share.waited(Number.POSITIVE_INFINITY);
          countFrames('left_out', 1);
          continue;
        }
        onFailure(error, 'a frame of a stream could not be analysed');
        failures += 1;
        if (failures >= maxFailures) throw toServiceError(error);
      } finally {
        isLooking = false;
      }
    }
  } finally {
    clearInterval(watch);
    clearInterval(checkNames);
    share.leave();
    if (!leavesTracks.has(signal.reason)) looker.end(clock());
    await frames.close();
    await clips?.close(leavesTracks.has(signal.reason) ? AbortSignal.abort() : AbortSignal.timeout(clipsMs));
    await files.close();
  }
}

function isBusy(error: unknown): boolean {
  if (error instanceof EngineError) return error.code === 'busy';
  return error instanceof ServiceError && error.code === 'service_busy';
}

function statusOf(now: StreamState): Parameters<StateWriter['set']>[0] {
  switch (now.kind) {
    case 'away':
      return { state: 'away', reason: now.failure.message, analysedFps: 0 };
    case 'frozen':
      return { state: 'frozen', reason: 'the source repeats one frame' };
    case 'closed':
      return {};
    default:
      return { state: now.kind, reason: null };
  }
}
