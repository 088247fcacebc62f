import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../../core/service-error.js';
import type { Database } from '../../storage/database.js';
import type { FrameQuota } from '../frame-quota.js';
import { createLivePreview, type LivePreview } from '../previews/live-preview.js';
import type { Previews } from '../previews/previews.js';
import { StreamFailure } from '../sources/stream-source.js';
import type { StreamForRunning, Streams } from '../streams.js';
import { endOpenTracks } from './end-open-tracks.js';
import { createFrameAllowance } from './frame-allowance.js';
import type { StreamHold } from './hold-stream.js';
import { createEventRecorder, type RecordedEvent } from './record-events.js';
import { createTextRecorder } from './record-texts.js';
import { type EndOfRun, type RunStreamDeps, runStream, type StreamSession } from './run-stream.js';
import { createSchedule } from './schedule.js';
import { createStateWriter, type StateWriter, type StreamStatus } from './write-state.js';
import { noRoom } from './write-waiting.js';

export interface KeepStreamDeps extends RunStreamDeps {
  readonly database: Database;
  readonly streams: Pick<Streams, 'readForRunning'>;
  readonly frameQuota: Pick<FrameQuota, 'reserve' | 'giveBack'>;
  readonly hasFrameLimit: boolean;
  readonly previews: Pick<Previews, 'add'>;
  readonly onRecorded: (event: RecordedEvent) => void;
}

/** A stream that this service holds. */
export interface KeptStream {
  readonly accountId: number;
  readonly streamId: number;
  readonly preview: LivePreview;
  /** Whether it is decoded: not outside of its schedule, nor without frames of its account. */
  readonly isActive: boolean;
  /** By performance.now: since when it is here, and when its last frame came; time in which it has none to decode counts as well. */
  readonly sinceMs: number;
  readonly lastFrameMs: number;
  readonly state: StreamStatus['state'];
  /** The revision that it has now; another than before makes it begin anew. */
  setRevision(revision: number): void;
  /** Its hold is given back when it resolves. */
  stop(why: EndOfRun): Promise<void>;
  /** Resolves when it has ended by itself or by `stop`. */
  readonly ended: Promise<void>;
}

const lookMs = 1000;
const firstBackOffMs = 1000;
const longestBackOffMs = 60_000;
/** After so long a run the next failure is a first one again. */
const steadyMs = 60_000;
/** What waits to be written when the service stops. */
const flushMs = 5000;

/** Runs a stream by its schedule and within its quota for as long as it is held, and again after what fails. */
export function keepStream(
  deps: KeepStreamDeps,
  { accountId, id: streamId }: Pick<StreamForRunning, 'accountId' | 'id'>,
  hold: StreamHold,
): KeptStream {
  const { database, clock, streams, onRecorded, onFailure } = deps;
  const stream = { accountId, streamId };
  const stopping = new AbortController();
  const preview = createLivePreview({ ...deps, accountId });
  const sinceMs = performance.now();
  let lastFrameMs = sinceMs;
  const writer = createStateWriter({
    ...{ database, clock, hold, stream },
    onFailure: (error) => onFailure(error, 'the state of a stream is written later'),
  });
  const state: Pick<StateWriter, 'set'> = {
    set(change) {
      const isSilent = change.lastFrameAtMs === undefined;
      if (!isSilent || change.state === 'resting' || change.state === 'stopped')
        lastFrameMs = performance.now();
      writer.set(change);
    },
  };
  let refuse: (trackId: number, personId: number) => void = () => undefined;
  const recorder = createEventRecorder({
    ...{ database, hold, stream, media: deps.media, onRecorded, onFailure },
    onRefused: (...who) => refuse(...who),
  });
  const texts = createTextRecorder({ database, hold, stream, onRecorded, onFailure });
  const allowance = createFrameAllowance({
    ...{ accountId, clock, quota: deps.frameQuota, hasLimit: deps.hasFrameLimit },
  });
  const session: StreamSession = {
    ...{ preview, state, recorder, texts, allowance },
    setRefuse(next) {
      refuse = next;
    },
  };
  let revision: number | null = null;
  let run: AbortController | null = null;
  let isActive = false;
  let isTakenOver = false;
  const endRun = (why: EndOfRun) => run?.abort(why);
  hold.lost.addEventListener('abort', () => stopping.abort('lost' satisfies EndOfRun), { once: true });
  stopping.signal.addEventListener('abort', () => endRun(stopping.signal.reason), { once: true });

  /** One run, until the first of many things that end it. */
  const runOnce = async (found: StreamForRunning): Promise<void> => {
    const isOn = createSchedule(found.settings);
    const own = new AbortController();
    run = own;
    if (stopping.signal.aborted) own.abort(stopping.signal.reason);
    const watch = setInterval(() => {
      if (!isOn(clock())) own.abort('off-schedule' satisfies EndOfRun);
      else if (allowance.isUsedUp) own.abort('used-up' satisfies EndOfRun);
    }, lookMs);
    isActive = true;
    try {
      state.set({ state: 'connecting', reason: null });
      await runStream(found, deps, session, own.signal);
    } catch (error) {
      if (!own.signal.aborted) throw error;
    } finally {
      isActive = false;
      clearInterval(watch);
      run = null;
    }
  };

  const wait = (ms: number) => sleep(ms, undefined, { signal: stopping.signal }).catch(() => undefined);

  const keep = async (): Promise<void> => {
    for (let failures = 0; !stopping.signal.aborted; ) {
      const startedMs = performance.now();
      try {
        const found = await streams.readForRunning(accountId, streamId);
        if (found === null) return;
        revision = found.revision;
        const rest = reasonToRest(found, clock(), allowance.isUsedUp);
        if (rest) {
          state.set({ ...rest, analysedFps: 0 });
          await wait(lookMs);
          continue;
        }
        if (!isTakenOver) await endOpenTracks({ ...{ database, hold, stream, onRecorded }, nowMs: clock() });
        isTakenOver = true;
        await runOnce(found);
        failures = 0;
      } catch (error) {
        failures = performance.now() - startedMs > steadyMs ? 1 : failures + 1;
        onFailure(error, 'a stream failed, and is tried again');
        state.set({ state: 'away', reason: explain(error), analysedFps: 0 });
        await wait(Math.min(longestBackOffMs, firstBackOffMs * 2 ** Math.min(failures - 1, 10)));
      }
    }
  };

  const finish = async (): Promise<void> => {
    const why: EndOfRun = stopping.signal.reason ?? 'off';
    preview.end();
    removePreview();
    if (why !== 'lost') {
      await within(Promise.all([recorder.flush(), texts.flush()]), flushMs);
      if (why === 'off') state.set({ state: 'stopped', reason: null, analysedFps: 0 });
      if (why === 'no-room') {
        const { state: before, reason } = writer.status;
        const isAway = before === 'away' && reason !== null;
        const waits = isAway ? `${reason}; ${noRoom}` : noRoom;
        state.set({ state: 'waiting', reason: waits, analysedFps: 0 });
      }
    }
    recorder.close();
    texts.close();
    await closeState(writer, why);
    await allowance.close();
    await hold.release();
  };
  const removePreview = deps.previews.add(accountId, streamId, preview);
  const ended = keep()
    .catch((error: unknown) => onFailure(error, 'a stream ended'))
    .then(finish)
    .catch((error: unknown) => onFailure(error, 'a stream did not end cleanly'));

  return {
    ...{ accountId, streamId, preview, ended, sinceMs },
    get lastFrameMs() {
      return writer.status.state === 'running' ? performance.now() : lastFrameMs;
    },
    get isActive() {
      return isActive;
    },
    get state() {
      return writer.status.state;
    },
    setRevision(next) {
      if (revision !== null && next !== revision) endRun('changed');
    },
    async stop(why) {
      stopping.abort(why);
      await ended;
    },
  };
}

/** Null where the stream is to run now. */
function reasonToRest(
  { settings }: StreamForRunning,
  nowMs: number,
  isUsedUp: boolean,
): Pick<Parameters<StateWriter['set']>[0], 'state' | 'reason'> | null {
  if (!createSchedule(settings)(nowMs)) return { state: 'resting', reason: 'outside of its schedule' };
  if (!isUsedUp) return null;
  return {
    state: 'stopped',
    reason: 'the account has used up its frames of today (UTC); the stream goes on tomorrow',
  };
}

/** For the stream's owner. */
function explain(error: unknown): string {
  if (error instanceof StreamFailure || error instanceof ServiceError) return error.message;
  return 'the service failed on this stream; its log says why';
}

async function closeState(state: StateWriter, why: EndOfRun): Promise<void> {
  if (why === 'lost') state.discard();
  else await state.close();
}

function within(work: Promise<unknown>, ms: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    work.then(() => resolve(), reject).finally(() => clearTimeout(timer));
  });
}
