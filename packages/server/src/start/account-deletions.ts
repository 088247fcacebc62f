import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { createRunDeletions, type RunDeletions } from '../accounts/deletion/run-deletions.js';
import { hashKey } from '../accounts/key.js';
import type { Component } from '../core/lifecycle.js';
import type { Logger } from '../core/logger.js';
import type { Core } from '../service/core.js';
import type { Module } from '../service/module.js';
import type { AccountFiles } from '../storage/account-files.js';
import { ifMissing } from '../storage/missing-file.js';
import { removeLeftovers } from '../storage/restore/leftovers.js';

const everyMs = 2000;

export interface AccountDeletionComponent extends Component {
  /** Looks for deletions that are due now, and not at the next look; resolves when that look is over. */
  wake(): Promise<void>;
}

/** The deletion of accounts, as far as this service does it. */
export function createServiceDeletions(
  core: Core,
  modules: readonly Module[],
  timing: { readonly intervalMs?: number } = {},
): AccountDeletionComponent {
  const { database, clock, folder, folderUid, logger, quarantine } = core;
  const run = createRunDeletions({
    database,
    clock,
    owner: randomUUID(),
    folder: folderUid,
    files: accountFilesOf(core, modules),
    async deleteRest(accountId) {
      const items = await quarantine.deleteOwned(accountId);
      await core.objects?.forgetOwned(accountId);
      // Links to deleted files keep their bytes: what a killed backup left goes, one that is being made is waited for.
      await removeLeftovers(folder);
      return { items, isDone: !existsSync(folder.backupStagingDir) };
    },
    compact: () => database.compact(),
    onEvent: (accountId, event) => logger.info({ accountId }, event),
  });
  return createDeletionComponent(run, { logger, ...timing });
}

/** The stores of this service with files of accounts. */
export function accountFilesOf(core: Core, modules: readonly Module[]): readonly AccountFiles[] {
  return [...modules.flatMap(({ accountFiles = [] }) => accountFiles), firstKey(core)];
}

/** The key of the first account is kept in a file until it is read. */
function firstKey({ database, folder: { firstKeyPath } }: Core): AccountFiles {
  return {
    store: 'first-key',
    async deleteNamed(accountId, onBatch) {
      const key = await readFile(firstKeyPath, 'utf8').catch(ifMissing(null));
      if (key === null) return;
      const owner = await database.query
        .selectFrom('api_key')
        .select('account_id as id')
        .where('hash', '=', hashKey(key.trim()))
        .executeTakeFirst();
      if (owner?.id !== accountId) return;
      await rm(firstKeyPath, { force: true });
      await onBatch({ items: 1, bytes: key.length });
    },
    deleteOrphans: async () => undefined,
  };
}

/** Deletes accounts whose deletion is due. It continues while jobs drain, so that jobs of a closed account end first. */
function createDeletionComponent(
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
