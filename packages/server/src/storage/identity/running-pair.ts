import { rm } from 'node:fs/promises';
import type { DataFolder } from '../data-folder.js';
import type { Database } from '../database.js';
import { isDiskFull } from '../storage-error.js';
import { restoreSuspensionMs, suspendSweeps } from '../sweep-suspension.js';
import type { Pairing } from './decide-pair.js';
import { writeFolderIdentity } from './folder-identity.js';
import { isMissing } from './folder-state.js';

/** A data folder and its database while a service runs on them. */
export type RunningPair = ReturnType<typeof createRunningPair>;

interface RunningPairDeps {
  readonly folder: DataFolder;
  readonly database: Database;
  readonly pairing: Pairing;
  readonly clock: () => number;
  /** Called once: sweeps are suspended then, and not again when an operator resumes them. */
  readonly onReplaced: (finding: string) => void;
}

export function createRunningPair({ folder, database, pairing, clock, onReplaced }: RunningPairDeps) {
  const { installation, folder: uid, finding } = pairing;
  const { query } = database;
  let { generation } = pairing;
  let replaced: string | null = null;
  let isWithdrawn = false;
  let missing: readonly string[] = [];
  let running: Promise<void> | undefined;

  /** The one before too, where the answer to it was lost. */
  const isOurs = () =>
    query
      .selectFrom('data_folder')
      .select('uid')
      .where('uid', '=', uid)
      .where('generation', 'in', [generation, generation + 1])
      .where('retired_at', 'is', null)
      .where(({ exists, selectFrom }) =>
        exists(selectFrom('installation').select('uid').where('uid', '=', installation)),
      );

  const raiseBoth = async (stoppedAt: number | null): Promise<boolean> => {
    const next = generation + 1;
    await writeFolderIdentity(folder, { installation, folder: uid, generation, next });
    const [raised] = await database.write([
      query
        .updateTable('data_folder')
        .set({ generation: next, seen_at: clock(), stopped_at: stoppedAt })
        .where('uid', 'in', isOurs()),
    ]);
    if (raised?.changes !== 1) return false;
    generation = next;
    // Until then the folder says that the database may be one ahead.
    await writeFolderIdentity(folder, { installation, folder: uid, generation });
    return true;
  };

  const raise = async (stoppedAt: number | null): Promise<void> => {
    // Until the service is started again.
    if (replaced !== null || isWithdrawn) return;
    const isPaired = await raiseBoth(stoppedAt).catch(async (error: unknown) => {
      if (!isDiskFull(error)) throw error;
      // Nothing is raised then; that the two belong together can be seen all the same.
      return (await isOurs().executeTakeFirst()) !== undefined;
    });
    if (isPaired) return;
    replaced =
      'the database was replaced, or the folder was copied or retired, while the service ran: restart the service';
    onReplaced(replaced);
    const nowMs = clock();
    await suspendSweeps(folder, { untilMs: nowMs + restoreSuspensionMs, reason: replaced }, nowMs);
  };

  const check = async (): Promise<void> => {
    await raise(null);
    const rows = await query.selectFrom('data_folder').selectAll().execute();
    const nowMs = clock();
    missing = rows
      .filter((row) => row.uid !== uid && isMissing(row, nowMs))
      .map(({ uid: other }) => `the data folder ${other} of this installation has not been seen for a day`);
  };

  return {
    installation,
    folder: uid,
    /** What was found at the start; null: nothing. */
    finding,
    /**
     * Looks whether the database is still the one that it was, and raises the generation of both halves. Called before
     * anything is deleted because no row names it: where the database was replaced, sweeps are suspended.
     */
    check() {
      running ??= check().finally(() => {
        running = undefined;
      });
      return running;
    },
    /** Undoes what this start did where the folder was new to an installation that has others: it is no folder of it then. */
    async withdraw() {
      if (pairing.generation > 1 || generation !== pairing.generation) return;
      const [removed] = await database.write([
        query
          .deleteFrom('data_folder')
          .where('uid', 'in', isOurs())
          .where(({ exists, selectFrom }) =>
            exists(selectFrom('data_folder as other').select('other.uid').where('other.uid', '<>', uid)),
          ),
      ]);
      if (removed?.changes !== 1) return;
      isWithdrawn = true;
      await rm(folder.identityPath, { force: true });
    },
    /** What an operator should know, as of the last check. */
    notices: (): readonly string[] => [...[finding, replaced].filter((text) => text !== null), ...missing],
    /** Raises the generation once more: a backup made while the service ran is then older than the folder. */
    async stop() {
      await running?.catch(() => undefined);
      await raise(clock());
    },
  };
}
