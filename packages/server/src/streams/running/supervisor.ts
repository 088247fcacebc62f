import type { Component } from '../../core/lifecycle.js';
import type { Logger } from '../../core/logger.js';
import type { Settings } from '../../core/settings.js';
import { listReplicas, timingOf } from '../../service/replicas/replica-rows.js';
import type { ProcessLeases } from '../../storage/leases/process-leases.js';
import type { Ffmpeg } from '../decoding/find-ffmpeg.js';
import { sharePreviews } from '../previews/share-previews.js';
import type { RunnableStream, Streams } from '../streams.js';
import { lookMs as budgetLookMs, type FpsBudget } from './fps-budget.js';
import { type HoldStreamDeps, holdStream, streamLeaseName, streamLeasePrefix } from './hold-stream.js';
import { type KeepStreamDeps, type KeptStream, keepStream } from './keep-stream.js';
import { createShareOut } from './share-out.js';
import type { UserLoad } from './user-load.js';
import { createStateWriter, type StreamStatus } from './write-state.js';
import { createWaitingWriter } from './write-waiting.js';

interface SupervisorDeps extends Omit<KeepStreamDeps, 'ffmpeg' | 'settings'> {
  readonly streams: Pick<Streams, 'forRunning' | 'readForRunning'>;
  readonly leases: HoldStreamDeps['leases'] & Pick<ProcessLeases, 'isAlone'>;
  readonly settings: KeepStreamDeps['settings'] & Pick<Settings, 'streamMaxPerReplica' | 'databaseUrl'>;
  /** Rejects with a message for the operator. */
  readonly findFfmpeg: () => Promise<Ffmpeg>;
  readonly budget: FpsBudget;
  readonly load: UserLoad;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  /** Between two looks at what there is to run. */
  readonly intervalMs?: number;
}

/** Runs streams: its share of those that are enabled, of all accounts. */
export interface Supervisor extends Component {
  /** Looks now, and not at the next look. */
  wake(): void;
  /** Of the streams that run here, of those that do not for want of ffmpeg, and of those that wait for room. */
  states(): readonly StreamStatus['state'][];
}

const usualIntervalMs = 2000;
/** Without ffmpeg, streams say so this often, and it is looked for again. */
const withoutFfmpegMs = 30_000;

export function createSupervisor(deps: SupervisorDeps): Supervisor {
  const { database, streams, leases, settings, logger, budget, onFailure } = deps;
  const { intervalMs = usualIntervalMs, clock } = deps;
  const shareOut = createShareOut(settings.streamMaxPerReplica);
  const kept = new Map<string, KeptStream>();
  const stopping = new AbortController();
  let ffmpeg: Ffmpeg | null = null;
  let missing: string | null = null;
  let lookedForFfmpegMs = Number.NEGATIVE_INFINITY;
  /** Streams that cannot run here for want of ffmpeg. */
  let withoutFfmpeg = 0;
  let waitingForRoom: readonly RunnableStream[] = [];
  const writeWaiting = createWaitingWriter(deps);
  let timers: NodeJS.Timeout[] = [];
  let looking: Promise<void> | undefined;
  let sharing: Promise<void> | undefined;

  const countReplicas = async (): Promise<number> => {
    if (leases.isAlone) return 1;
    const replicas = await listReplicas(database, clock(), timingOf(settings));
    return Math.max(1, replicas.filter(({ isAlive, roles }) => isAlive && roles.includes('streams')).length);
  };
  const readOthers = async (): Promise<ReadonlySet<string>> => {
    const rows = await database.query
      .selectFrom('lease')
      .select('name')
      .where('name', 'like', `${streamLeasePrefix}%`)
      .where('owner', '<>', leases.owner.id)
      .where('leased_until', '>', clock())
      .execute();
    return new Set(rows.map(({ name }) => name));
  };

  const take = async (name: string, stream: RunnableStream, found: Ffmpeg): Promise<void> => {
    const hold = await holdStream({ database, leases }, name);
    if (hold === null) return;
    const running = keepStream({ ...deps, ffmpeg: found }, stream, hold);
    kept.set(name, running);
    running.ended.finally(() => {
      if (kept.get(name) === running) kept.delete(name);
    });
  };
  const stop = (name: string, why: Parameters<KeptStream['stop']>[0]) =>
    kept
      .get(name)
      ?.stop(why)
      .catch((error: unknown) => onFailure(error, 'a stream did not end cleanly'));

  const runShare = async (wanted: ReadonlyMap<string, RunnableStream>, found: Ffmpeg): Promise<void> => {
    for (const [name, { revision }] of wanted) kept.get(name)?.setRevision(revision);
    for (const name of kept.keys()) if (!wanted.has(name)) void stop(name, 'off');
    const {
      take: taken,
      giveUp,
      makeRoom,
      waiting,
    } = shareOut.next({
      nowMs: performance.now(),
      wanted: [...wanted].map(([name, { accountId }]) => ({ name, accountId })),
      mine: kept,
      others: await readOthers(),
      replicas: await countReplicas(),
    });
    if (giveUp !== null) void stop(giveUp, 'shutdown');
    if (makeRoom !== null) void stop(makeRoom, 'no-room');
    waitingForRoom = waiting.flatMap((name) => wanted.get(name) ?? []);
    await writeWaiting(waitingForRoom);
    for (const name of taken) {
      const stream = wanted.get(name);
      if (stream && !stopping.signal.aborted) await take(name, stream, found);
    }
  };

  /** Streams that nobody runs say why. */
  const sayMissing = async (wanted: ReadonlyMap<string, RunnableStream>, reason: string): Promise<void> => {
    for (const [name, { accountId, id: streamId }] of wanted) {
      const hold = await holdStream({ database, leases }, name);
      if (hold === null) continue;
      const state = createStateWriter({
        ...{ database, clock, hold, stream: { accountId, streamId } },
        onFailure: (error) => onFailure(error, 'the state of a stream is written later'),
      });
      state.set({ state: 'stopped', reason });
      await state.close();
      await hold.release();
    }
  };
  const lookForFfmpeg = async (wanted: ReadonlyMap<string, RunnableStream>): Promise<void> => {
    if (performance.now() - lookedForFfmpegMs < withoutFfmpegMs) return;
    lookedForFfmpegMs = performance.now();
    try {
      ffmpeg = await deps.findFfmpeg();
      missing = null;
      logger.info(
        { version: ffmpeg.version, seesReadOnly: ffmpeg.view.length > 0 },
        'live streams are decoded by ffmpeg',
      );
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (missing === null) logger.warn({ reason }, 'live streams are off');
      missing = reason;
      await sayMissing(wanted, `live streams are off: ${reason}`);
    }
  };

  const look = async (): Promise<void> => {
    const enabled = await streams.forRunning();
    const wanted = new Map(
      enabled.map((stream) => [streamLeaseName(stream.accountId, stream.id), stream] as const),
    );
    if (ffmpeg === null && wanted.size > 0) await lookForFfmpeg(wanted);
    withoutFfmpeg = ffmpeg === null ? wanted.size : 0;
    if (ffmpeg !== null) await runShare(wanted, ffmpeg);
  };
  const wake = () => {
    if (stopping.signal.aborted) return;
    looking ??= look()
      .catch((error: unknown) => onFailure(error, 'streams are looked for later'))
      .finally(() => {
        looking = undefined;
      });
  };
  const end = async (): Promise<void> => {
    stopping.abort();
    for (const timer of timers) clearInterval(timer);
    timers = [];
    await looking;
    await Promise.all([...kept.keys()].map((name) => stop(name, 'shutdown')));
    await sharing;
  };

  return {
    name: 'streams',
    wake,
    states: () => [
      ...[...kept.values()].map(({ state }) => state),
      ...Array.from({ length: withoutFfmpeg }, () => 'stopped' as const),
      ...waitingForRoom.map(() => 'waiting' as const),
    ],
    async start() {
      timers = [
        setInterval(wake, intervalMs).unref(),
        setInterval(() => {
          if (kept.size > 0) budget.look(deps.load.look());
        }, budgetLookMs).unref(),
      ];
      if (!leases.isAlone) {
        sharing = sharePreviews(
          {
            ...{ database, clock },
            running: () =>
              [...kept.values()].map(({ preview, ...stream }) => ({ ...stream, channel: preview.channel })),
            onFailure: (error) => onFailure(error, 'frames of a stream are shared later'),
          },
          stopping.signal,
        );
      }
      wake();
    },
    isReady: () => true,
    notices: () => [
      ...(missing === null || withoutFfmpeg === 0 ? [] : [`live streams are off: ${missing}`]),
      ...(waitingForRoom.length === 0
        ? []
        : [
            `${waitingForRoom.length} live streams wait for room: raise streamMaxPerReplica (${settings.streamMaxPerReplica}), or add a service with the role streams`,
          ]),
    ],
    drain: end,
    stop: end,
  };
}
