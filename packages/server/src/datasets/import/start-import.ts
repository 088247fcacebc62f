import type { Jobs } from '../../jobs/jobs.js';
import type { Database } from '../../storage/database.js';
import { type ImportPayload, importKind } from './import-job.js';

/** Answers the id of the job. Fails as `unique` while another import into the dataset has not ended. */
export type StartImport = (accountId: number, wanted: ImportPayload) => Promise<string>;

export function createStartImport({
  database,
  jobs,
}: {
  readonly database: Database;
  readonly jobs: Pick<Jobs, 'insert' | 'wake'>;
}): StartImport {
  return async (accountId, payload) => {
    const subject = String(payload.datasetId);
    const { id, statement } = jobs.insert(accountId, { kind: importKind, subject, payload });
    await database.write([statement]);
    jobs.wake();
    return id;
  };
}
