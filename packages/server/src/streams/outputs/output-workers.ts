import type { Clock } from '../../core/clock.js';
import type { Logger } from '../../core/logger.js';
import type { OutputFigures, StreamMetrics } from '../../core/stream-metrics.js';
import { DeliveryError } from '../../delivery/destination.js';
import type { Database } from '../../storage/database.js';
import type { RowLease, RowLeases } from '../../storage/leases/row-leases.js';
import type { SecretBox } from '../../storage/secrets/secret-box.js';
import { type CreateSenderDeps, createSender } from './create-sender.js';
import { listRunnable, type RunnableOutput } from './list-runnable.js';
import { createOutputCursor, type OutputCursor } from './output-cursor.js';
import { fromColumns, requireSecrets, type WholeOutput } from './output-rows.js';
import type { MqttSettings, OutputSettings } from './output-settings.js';
import { type OutputWorker, type RetryTimes, startOutputWorker } from './output-worker.js';
import type { Sender } from './sender.js';

/** Works on the outputs of all accounts, each of which one service has at a time. */
export type OutputWorkers = ReturnType<typeof createOutputWorkers>;

interface OutputWorkersDeps extends CreateSenderDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly leases: Pick<RowLeases, 'take'>;
  readonly secretBox: SecretBox;
  /** Calls the listener for each event that this process has written. */
  readonly onRecorded: (listener: (event: { readonly accountId: number }) => void) => void;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly retry: RetryTimes;
  readonly metrics: Pick<StreamMetrics, 'countOutput'>;
}

/** Between two looks, while there are outputs. */
const lookMs = 1000;
/** Until an output that could not be begun or cleared, because its secrets cannot be opened or its broker is away, is tried again. */
const refusedMs = 60_000;
/** While there are none. */
const idleLookMs = 5000;

interface Working {
  readonly output: RunnableOutput;
  readonly whole: WholeOutput;
  readonly lease: RowLease;
  readonly cursor: OutputCursor;
  readonly sender: Sender;
  readonly worker: OutputWorker;
}

export function createOutputWorkers(deps: OutputWorkersDeps) {
  const { database, leases, secretBox, onRecorded, logger } = deps;
  const working = new Map<string, Working>();
  /** Outputs that could not be begun or cleared, until they are tried again or changed. */
  const refused = new Map<
    string,
    { readonly revision: number; readonly isGone: boolean; readonly untilMs: number }
  >();
  /** Outputs that are being begun or ended. */
  const busy = new Map<string, Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | null = null;
  let isAskedAgain = false;
  let isStopped = false;
  let isAway = false;
  /** As the last look found them. */
  let newestSeqs: ReadonlyMap<string, number> = new Map();

  /** Of one that is gone and cleared: its row, but for that of a closed account, which may be opened again. */
  const forget = ({ accountId, id }: Pick<RunnableOutput, 'accountId' | 'id'>) =>
    database.write([
      // What is noted of brokers that it had before.
      database.query
        .deleteFrom('stream_output_topic')
        .where('account_id', '=', accountId)
        .where('output_id', '=', id),
      database.query
        .deleteFrom('stream_output')
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .where('deleted_at', 'is not', null),
    ]);

  const beginWith = async (output: RunnableOutput, lease: RowLease, cursor: OutputCursor): Promise<void> => {
    const { accountId, id, row, key } = output;
    const whole = requireSecrets(fromColumns(row, secretBox));
    const onClosed = () => working.get(key)?.worker.wake();
    const sender = createSender(
      { ...whole, accountId, id, uid: row.uid, fence: lease.fence },
      deps,
      onClosed,
    );
    if (output.isGone) {
      if (await sender.retire()) await forget(output);
      else refuse(output);
      return;
    }
    const worker = startOutputWorker({ accountId, id, whole, cursor, sender, signal: lease.signal }, deps);
    working.set(key, { output, whole, lease, cursor, sender, worker });
    void worker.ended.then(look);
  };

  const begin = async (output: RunnableOutput): Promise<void> => {
    const lease = await leases.take(output.lease);
    if (lease === null) return;
    const cursor = createOutputCursor(deps, output.row, lease);
    try {
      await beginWith(output, lease, cursor);
    } catch (error) {
      refuse(output);
      if (error instanceof DeliveryError) await cursor.fail(error.message).catch(() => undefined);
      throw error;
    } finally {
      if (!working.has(output.key)) await lease.release();
    }
  };
  const refuse = ({ key, row, isGone }: RunnableOutput) =>
    refused.set(key, { revision: row.revision, isGone, untilMs: performance.now() + refusedMs });
  const isRefused = ({ key, row, isGone }: RunnableOutput): boolean => {
    const last = refused.get(key);
    const isSame = last?.revision === row.revision && last.isGone === isGone;
    return isSame && performance.now() < last.untilMs;
  };

  /** @param now as the row is now; null: it is gone */
  const end = async (each: Working, now: RunnableOutput | null): Promise<void> => {
    const { output, whole, lease, sender, worker } = each;
    const isGone = now === null || now.isGone;
    await worker.stop();
    try {
      // Another's by now: what the broker keeps is that one's.
      if (lease.signal.aborted) await sender.close();
      else if (isGone) {
        if (await sender.retire()) await forget(output);
        else refuse(now ?? output);
      } else {
        const isAtSame = keptAt(whole.settings) === keptAt(fromColumns(now.row, secretBox).settings);
        await (isAtSame ? sender.close() : sender.retire());
      }
    } catch (error) {
      refuse(now ?? output);
      throw error;
    } finally {
      working.delete(output.key);
      await lease.release();
    }
  };

  /** One thing at a time with each output, and a look when it is done. */
  const keepBusy = (key: string, work: () => Promise<void>): void => {
    const done = work()
      .catch((error: unknown) =>
        logger.warn({ err: error, output: key }, 'an output of streams could not be opened or closed'),
      )
      .finally(() => busy.delete(key));
    busy.set(key, done);
  };

  const lookOnce = async (): Promise<number> => {
    const outputs = await listRunnable(database);
    const byKey = new Map(outputs.map((output) => [output.key, output]));
    newestSeqs = new Map(outputs.map(({ key, newestSeq }) => [key, newestSeq]));
    for (const key of refused.keys()) if (!byKey.has(key)) refused.delete(key);
    if (isStopped) return outputs.length;
    for (const [key, each] of working) {
      const now = byKey.get(key) ?? null;
      const isOver = each.worker.hasEnded || each.lease.signal.aborted;
      const isSame = now?.isRunnable === true && now.row.revision === each.output.row.revision;
      if (busy.has(key) || (isSame && !isOver && !now.isGone)) continue;
      keepBusy(key, () => end(each, now).finally(look));
    }
    for (const output of outputs) {
      const each = working.get(output.key);
      if (each && output.newestSeq > output.row.delivered_seq) each.worker.wake();
      if (each || busy.has(output.key) || !output.isRunnable || output.isLeased || isRefused(output))
        continue;
      keepBusy(output.key, () => begin(output));
    }
    return outputs.length;
  };

  const lookOrLog = async (): Promise<number> => {
    try {
      const count = await lookOnce();
      isAway = false;
      return count;
    } catch (error) {
      if (!isAway)
        logger.warn({ err: error }, 'outputs of streams could not be read; they are looked for again');
      isAway = true;
      return 1;
    }
  };

  const keepLooking = async (): Promise<void> => {
    clearTimeout(timer);
    let count = 0;
    do {
      isAskedAgain = false;
      count = await lookOrLog();
    } while (isAskedAgain && !isStopped);
    looking = null;
    if (!isStopped) timer = setTimeout(look, count > 0 ? lookMs : idleLookMs);
  };

  /** One look at a time; one that is asked for meanwhile follows. */
  function look(): void {
    isAskedAgain = true;
    if (isStopped || looking !== null) return;
    looking = keepLooking();
  }

  return {
    start() {
      onRecorded(({ accountId }) => {
        for (const { output, worker } of working.values()) if (output.accountId === accountId) worker.wake();
      });
      look();
    },
    /** Something of an output is different: it is looked at at once. */
    look,
    /** Of those whose events are sent here. */
    figures: (): readonly OutputFigures[] =>
      [...working].map(([key, { whole, output, cursor }]) => ({
        kind: whole.settings.kind,
        isFailing: cursor.failingSince !== null,
        waiting: Math.max(0, (newestSeqs.get(key) ?? output.newestSeq) - cursor.seq),
      })),
    /** Resolves when no event is sent any more and connections are ended. */
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await looking;
      await Promise.all(busy.values());
      await Promise.all([...working.values()].map((each) => end(each, each.output)));
    },
  };
}

/** Where a broker keeps something of an output; empty where it keeps nothing. */
function keptAt(settings: OutputSettings): string {
  if (settings.kind === 'webhook') return '';
  const names: readonly (keyof MqttSettings)[] = [
    ...(['url', 'prefix', 'retain', 'snapshots', 'frigate'] as const),
    ...(['frigatePrefix', 'homeAssistant', 'discoveryPrefix'] as const),
  ];
  return JSON.stringify(names.map((name) => settings[name]));
}
