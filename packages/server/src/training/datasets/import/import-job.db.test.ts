import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ServiceError } from '../../../core/service-error.js';
import { type JobTrial, openJobTrial } from '../../../service/jobs/fixtures/job-trial.js';
import { createImportJob, importKind, sweepEndedImports, sweptImports } from './import-job.js';

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

test('zips of ended imports are swept, also of more imports than are read at once', async () => {
  const blobs = Array.from({ length: 450 }, () => randomUUID());
  const inserts = blobs.map((blobId) => {
    const payload = { datasetId: 1, blobId, format: null };
    return trial.jobs.insert(trial.accountId, { kind: importKind, subject: blobId, payload }).statement;
  });
  const end = trial.database.query.updateTable('job').set({ state: 'done', ended_at: 1 });
  await trial.database.write([...inserts, end.where('subject', 'in', blobs)]);
  const removed: string[] = [];
  const imports = {
    async *list() {
      for (const id of [...blobs, randomUUID()]) yield { id, sizeBytes: 1, writtenMs: 1 };
    },
    remove: async (id: string) => void removed.push(id),
  };
  expect(await sweepEndedImports(trial.database, imports, 2)).toBe(blobs.length);
  expect(removed).toEqual(blobs);
});

test('a sweep reads the jobs of imports once, however many files there are, and again when files are listed anew', async () => {
  // Of its own: services of other tests ask the same database.
  const query = trial.database.query.withoutPlugins();
  const selects = vi.spyOn(query, 'selectFrom');
  const store = sweptImports({ query }, { async *list() {}, placeOf: unused });
  const insert = async (blobId: string) => {
    const payload = { datasetId: 1, blobId, format: null };
    const { statement } = trial.jobs.insert(trial.accountId, { kind: importKind, subject: blobId, payload });
    await trial.database.write([statement]);
  };
  const [first, second] = [randomUUID(), randomUUID()];
  await insert(first);
  store.list();
  selects.mockClear();
  for (let batch = 0; batch < 50; batch += 1)
    expect(await store.findNamed([first, randomUUID()])).toEqual(new Set([first]));
  expect(selects).toHaveBeenCalledTimes(1);
  await insert(second);
  store.list();
  expect(await store.findNamed([first, second])).toEqual(new Set([first, second]));
});
