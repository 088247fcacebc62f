import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createJobs } from '../../service/jobs/jobs.js';
import { createLeases } from '../../service/jobs/leases.js';
import { createLeaseOwner } from '../../storage/leases/lease-owner.js';
import { createDatasets } from '../datasets/datasets.js';
import { openStoredModels, type StoredModels } from './fixtures/stored-models.js';
import { trainModelKind } from './job-kinds.js';

let stored: StoredModels;
let account: number;
beforeEach(async () => {
  stored = await openStoredModels({ featuresMaxBytes: 2500 });
  account = await stored.makeAccount('one');
});
afterEach(() => stored.close());

/** A dataset with features of 1000 bytes that were last used so long ago. */
async function makeFeatures(hoursAgo: number) {
  const datasets = createDatasets({ ...stored, clock: Date.now, limits: { accountMaxDatasets: 0 } });
  const dataset = await datasets.create(account, { name: 'a', task: 'classification', multiLabel: false });
  const folder = await stored.features.use(dataset.uid);
  await mkdir(join(folder, 'net@1', 'ab'), { recursive: true });
  await writeFile(join(folder, 'net@1', 'ab', 'features'), Buffer.alloc(1000));
  const used = new Date(Date.now() - hoursAgo * 3_600_000);
  await utimes(folder, used, used);
  return dataset;
}

test('features have their bytes together: those unused longest go, and those of a running training never', async () => {
  const [trained, oldest, newer, newest] = [
    await makeFeatures(40),
    await makeFeatures(30),
    await makeFeatures(20),
    await makeFeatures(10),
  ];
  expect(await stored.features.bytes(trained.uid)).toBe(1000);
  const { database } = stored;
  const job = {
    kind: trainModelKind,
    subject: '1001',
    payload: { datasetId: trained.id, noneOfThese: false, seed: 1, isActivated: true },
  };
  await database.write([createJobs({ database, clock: Date.now }).insert(account, job).statement]);
  await createLeases({ database, clock: Date.now, owner: createLeaseOwner(''), leaseMs: 1000 }).take(
    trainModelKind,
  );
  // A training that starts creates what it needs again.
  await stored.features.use(oldest.uid);
  expect(await stored.features.trim()).toBe(2);
  expect((await readdir(stored.folder.featuresDir)).sort()).toEqual([trained.uid, oldest.uid].sort());
  expect([newer.uid, newest.uid]).not.toContain(trained.uid);
  expect(await stored.features.trim()).toBe(0);
});
