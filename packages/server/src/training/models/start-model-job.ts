import { ServiceError } from '../../core/service-error.js';
import type { Jobs } from '../../service/jobs/jobs.js';
import type { Database } from '../../storage/database.js';
import { StorageError } from '../../storage/storage-error.js';
import type { modelJobKinds } from './job-kinds.js';

interface ModelJob {
  readonly kind: (typeof modelJobKinds)[number];
  readonly modelId: number;
  readonly payload: unknown;
}

/** Answers the id of the job. Throws `conflict` while the model has an unfinished one of the kind. */
export async function startModelJob(
  {
    database,
    jobs,
  }: {
    readonly database: Database;
    readonly jobs: Pick<Jobs, 'insert' | 'wake'>;
  },
  accountId: number,
  { kind, modelId, payload }: ModelJob,
): Promise<string> {
  const { id, statement } = jobs.insert(accountId, { kind, subject: String(modelId), payload });
  await database.write([statement]).catch((error: unknown) => {
    if (!(error instanceof StorageError) || error.code !== 'unique') throw error;
    throw new ServiceError(
      'conflict',
      `model ${modelId} has an unfinished job of the kind ${kind}: wait for its end, or cancel it`,
      { cause: error },
    );
  });
  jobs.wake();
  return id;
}
