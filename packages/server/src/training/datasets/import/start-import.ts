import type { Jobs } from '../../../service/jobs/jobs.js';
import type { Database } from '../../../storage/database.js';
import { type ImportPayload, importKind } from './import-job.js';

/** Answers the id of the job. Fails as `unique` while another import into the dataset has not ended. */
export type StartImport = (accountId: number, wanted: Omit<ImportPayload, 'lastClassId'>) => Promise<string>;

export function createStartImport({
  database,
  jobs,
}: {
  readonly database: Database;
  readonly jobs: Pick<Jobs, 'insert' | 'wake'>;
}): StartImport {
  const readLastClassId = async (accountId: number, datasetId: number) => {
    const row = await database.query
      .selectFrom('dataset_class')
      .select(({ fn }) => fn.max('id').as('id'))
      .where('account_id', '=', accountId)
      .where('dataset_id', '=', datasetId)
      .executeTakeFirst();
    return Number(row?.id ?? 0);
  };
  return async (accountId, wanted) => {
    const subject = String(wanted.datasetId);
    const lastClassId = await readLastClassId(accountId, wanted.datasetId);
    const payload = { ...wanted, lastClassId };
    const { id, statement } = jobs.insert(accountId, { kind: importKind, subject, payload });
    await database.write([statement]);
    jobs.wake();
    return id;
  };
}
