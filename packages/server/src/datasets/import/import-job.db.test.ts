import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ServiceError } from '../../core/service-error.js';
import { type JobTrial, openJobTrial } from '../../jobs/fixtures/job-trial.js';
import { createImportJob, importKind } from './import-job.js';

let trial: JobTrial;
beforeAll(async () => {
  trial = await openJobTrial();
});
afterAll(() => trial.close());

const unused = (): never => {
  throw new Error('not asked for');
};

test('an import whose zip has no room on the disk here is left to another service, and fails where there is none', async () => {
  const kind = createImportJob({
    database: trial.database,
    // Not reached: the zip comes first.
    store: {} as Parameters<typeof createImportJob>[0]['store'],
    spool: { createFile: unused, of: unused },
    logger: { warn: unused },
    maxImageBytes: 1,
    clock: Date.now,
    imports: {
      write: unused,
      hold: () => Promise.reject(new ServiceError('no_space', 'make room (diskReserveBytes)')),
      remove: unused,
      async *list() {},
    },
  });
  const insert = () =>
    trial.insert(importKind, randomUUID(), { datasetId: 1001, blobId: randomUUID(), format: null });
  const full = await trial.startService([kind], { hasOther: async () => true });
  const left = await trial.until(await insert(), ({ error }) => error !== null);
  expect(left).toMatchObject({ state: 'waiting', error: expect.stringContaining('another') });
  await full.stop();
  await trial.startService([kind], { hasOther: async () => false });
  const failed = await trial.until(await insert(), ({ endedAt }) => endedAt !== null);
  expect(failed).toMatchObject({ state: 'failed', error: 'make room (diskReserveBytes)' });
});
