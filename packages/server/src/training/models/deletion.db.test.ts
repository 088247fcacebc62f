import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createJobs } from '../../service/jobs/jobs.js';
import { createDatasets } from '../datasets/datasets.js';
import { createImages } from '../datasets/images.js';
import { openStoredModels, type StoredModels } from './fixtures/stored-models.js';
import { trainModelKind } from './job-kinds.js';
import type { Model } from './model.js';

let stored: StoredModels;
let account: number;
let model: Model;
beforeEach(async () => {
  stored = await openStoredModels();
  account = await stored.makeAccount('one');
  model = await stored.models.create(account, { name: 'a', description: '', task: 'classification' });
});
afterEach(() => stored.close());

const makeDataset = () =>
  createDatasets({ database: stored.database, clock: Date.now, limits: { accountMaxDatasets: 0 } }).create(
    account,
    {
      name: 'd',
      task: 'classification',
      multiLabel: false,
    },
  );
const startTraining = async (modelId: number) => {
  const jobs = createJobs({ database: stored.database, clock: Date.now });
  const job = { kind: trainModelKind, subject: String(modelId), payload: {} };
  await stored.database.write([jobs.insert(account, job).statement]);
};

test('a model goes with its versions, their files and the work on it, and a receipt tells', async () => {
  const kept = await stored.models.create(account, { name: 'b', description: '', task: 'classification' });
  const { uid } = await stored.addVersion(account, kept.id);
  for (let count = 0; count < 3; count += 1) await stored.addVersion(account, model.id);
  await startTraining(model.id);
  const { removeModel } = stored.deletion;
  expect(await removeModel(account, model.id)).toEqual({ versions: 3, jobs: 1, bytes: 21 });
  expect(await stored.folders()).toEqual([uid]);
  await expect(removeModel(account, model.id)).rejects.toMatchObject({ code: 'not_found' });
  await expect(stored.addVersion(account, model.id)).rejects.toMatchObject({ code: 'not_found' });
  expect(await stored.models.read(account, kept.id)).toMatchObject({ version: 1 });
});

test("another account's model is not found, and stays", async () => {
  const other = await stored.makeAccount('two');
  await expect(stored.deletion.removeModel(other, model.id)).rejects.toMatchObject({ code: 'not_found' });
  expect(await stored.models.read(account, model.id)).toEqual(model);
});

test('a sweep completes what was cut short a while ago, and leaves what may be under way', async () => {
  await stored.addVersion(account, model.id);
  const hide = (deletedAt: number) =>
    stored.database.write([
      stored.database.query
        .updateTable('model')
        .set({ deleted_at: deletedAt })
        .where('account_id', '=', account)
        .where('id', '=', model.id),
    ]);
  await hide(Date.now() - 5000);
  expect(await stored.deletion.finish(600_000)).toBe(0);
  await hide(Date.now() - 700_000);
  expect(await stored.deletion.finish(600_000)).toBe(1);
  expect(await stored.folders()).toEqual([]);
});

test('a model whose deletion was interrupted is hidden, and deleted at the next start', async () => {
  await stored.addVersion(account, model.id);
  await stored.database.write([
    stored.database.query.updateTable('model').set({ deleted_at: 1 }).where('id', '=', model.id),
  ]);
  expect(await stored.models.find(account, model.uid)).toBeNull();
  await expect(stored.versions.read(account, model.id, 1)).rejects.toMatchObject({ code: 'not_found' });
  const again = await stored.open();
  expect([await again.deletion.finish(), await again.deletion.finish()]).toEqual([1, 0]);
  expect(await stored.folders()).toEqual([]);
});

test('a version that is added while its model is deleted leaves no file behind', async () => {
  const adding = Array.from({ length: 10 }, () => stored.addVersion(account, model.id));
  const removing = stored.deletion.removeModel(account, model.id);
  const outcomes = await Promise.allSettled(adding);
  await removing;
  for (const outcome of outcomes.filter(({ status }) => status === 'rejected')) {
    expect(outcome).toMatchObject({ reason: { code: 'not_found' } });
  }
  expect([await stored.folders(), await stored.drafts()]).toEqual([[], []]);
});

test('features stay for as long as a model was trained on the dataset, or one may be in training', async () => {
  const dataset = await makeDataset();
  const left = () => readdir(stored.folder.featuresDir);
  await mkdir(stored.features.folder(dataset.uid));
  await startTraining(model.id);
  expect([await stored.features.sweep(), await left()]).toEqual([0, [dataset.uid]]);
  await stored.addVersion(account, model.id, { datasetId: dataset.id });
  await stored.database.write([stored.database.query.deleteFrom('job')]);
  expect(await stored.features.sweep()).toBe(0);
  await stored.deletion.removeModel(account, model.id);
  expect(await left()).toEqual([]);
});

test('features of an image go once its dataset does not have it; what a killed training was writing goes at the start', async () => {
  const dataset = await makeDataset();
  const features = stored.features.folder(dataset.uid);
  const [kept, deleted] = ['ab'.repeat(32), 'cd'.repeat(32)];
  const pathOf = (sha256: string) => join(features, 'net@1', 'kind', sha256.slice(0, 2));
  for (const sha256 of [kept, deleted]) {
    await mkdir(pathOf(sha256), { recursive: true });
    await writeFile(join(pathOf(sha256), sha256), 'features');
  }
  await mkdir(join(features, 'writing'));
  await writeFile(join(features, 'writing', 'half'), 'feat');
  await createImages({ database: stored.database, clock: Date.now }).add(account, dataset.id, {
    fileName: 'a.jpg',
    blobId: 'blob-of-an-image',
    kind: 'jpeg',
    bytes: 1,
    sha256: kept,
    fingerprint: '0'.repeat(32),
    width: 8,
    height: 8,
    split: null,
    isLabelled: false,
    isPartlyLabelled: false,
    labels: [],
  });
  await startTraining(model.id);
  await stored.sweepFeatures();
  expect([await readdir(pathOf(kept)), await readdir(pathOf(deleted))]).toEqual([[kept], []]);
  expect(await readdir(join(features, 'writing'))).toEqual(['half']);
  await stored.open();
  expect(await readdir(features)).toEqual(['net@1']);
});
