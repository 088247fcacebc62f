import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  createRunDeletions,
  type RunDeletions,
  type RunDeletionsDeps,
} from '../accounts/deletion/run-deletions.js';
import type { Component } from '../core/lifecycle.js';
import type { Logger } from '../core/logger.js';
import type { DataFolder } from '../storage/data-folder.js';
import { openQuarantine } from '../storage/quarantine/quarantine.js';
import { removeLeftovers } from '../storage/restore/leftovers.js';
import { type AccountFilesDeps, createAccountFiles } from './account-files.js';

const everyMs = 2000;

export interface AccountDeletionComponent extends Component {
  /** Looks for deletions that are due now, and not at the next look; resolves when that look is over. */
  wake(): Promise<void>;
}

export interface OpenAccountDeletionsDeps
  extends Omit<AccountFilesDeps, 'folder'>,
    Pick<RunDeletionsDeps, 'database' | 'clock'> {
  readonly folder: DataFolder;
  /** UID of the data folder. */
  readonly folderUid: string;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly intervalMs?: number;
}

/** The deletion of accounts, as far as this service does it. */
export function openAccountDeletions(deps: OpenAccountDeletionsDeps): AccountDeletionComponent {
  const { database, clock, folder, folderUid, logger, intervalMs } = deps;
  const quarantine = openQuarantine(folder.quarantineDir);
  const run = createRunDeletions({
    database,
    clock,
    owner: randomUUID(),
    folder: folderUid,
    files: createAccountFiles(deps),
    async deleteRest(accountId) {
      const items = await quarantine.deleteOwned(accountId);
      // Links to deleted files keep their bytes: what a killed backup left goes, one that is being made is waited for.
      await removeLeftovers(folder);
      return { items, isDone: !existsSync(folder.backupStagingDir) };
    },
    compact: () => database.compact(),
    onEvent: (accountId, event) => logger.info({ accountId }, event),
  });
  return createAccountDeletionComponent(run, { logger, ...(intervalMs === undefined ? {} : { intervalMs }) });
}

/** Deletes accounts whose deletion is due. Behind the jobs in the order of stopping, so that it goes on while they end. */
function createAccountDeletionComponent(
  run: RunDeletions,
  { logger, intervalMs = everyMs }: { readonly logger: Pick<Logger, 'warn'>; readonly intervalMs?: number },
): AccountDeletionComponent {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  const wake = (): Promise<void> => {
    if (stopping.signal.aborted) return Promise.resolve();
    running ??= run(stopping.signal)
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) {
          logger.warn({ err: error }, 'account deletion failed; it is tried again');
        }
      })
      .finally(() => {
        running = undefined;
      });
    return running;
  };
  return {
    name: 'account-deletions',
    wake,
    async start() {
      timer = setInterval(() => void wake(), intervalMs).unref();
      void wake();
    },
    isReady: () => true,
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
}
