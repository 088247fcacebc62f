import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createRunDeletions, type RunDeletionsDeps } from '../accounts/deletion/run-deletions.js';
import type { DataFolder } from '../storage/data-folder.js';
import { openQuarantine } from '../storage/quarantine/quarantine.js';
import { removeLeftovers } from '../storage/restore/leftovers.js';
import type { Logger } from '../telemetry/logger.js';
import {
  type AccountDeletionComponent,
  createAccountDeletionComponent,
} from './account-deletion-component.js';
import { type AccountFilesDeps, createAccountFiles } from './account-files.js';

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
