import { mkdir, readFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sweepOnce } from '../../storage/fixtures/sweep-once.js';
import { createLeaseOwner } from '../../storage/leases/lease-owner.js';
import { createRowLeases } from '../../storage/leases/row-leases.js';
import { newVersion, openStoredModels, type StoredModels } from './fixtures/stored-models.js';
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

const current = async () => (await stored.models.read(account, model.id)).version;

test('each version has a number of its own, and the newest is active by default', async () => {
  const first = await stored.addVersion(account, model.id, { datasetId: 1001 });
  expect(first).toMatchObject({ number: 1, origin: 'training', bytes: 7, jobId: null });
  expect(first.labels.map(({ title }) => title)).toEqual(['cat', 'dog']);
  await stored.addVersion(account, model.id, { isActivated: false });
  expect(await current()).toBe(1);
  await stored.addVersion(account, model.id, { report: { accuracy: 0.9 } });
  expect(await stored.models.read(account, model.id)).toMatchObject({ version: 3, datasetId: 1001 });
  expect(await stored.versions.report(account, model.id, 3)).toEqual({ accuracy: 0.9 });
  expect(await stored.versions.report(account, model.id, 1)).toBeNull();
  const page = await stored.versions.list(account, model.id, { limit: 2, after: undefined });
  expect([page.items.map(({ number }) => number), page.next]).toEqual([[3, 2], 2]);
});

test('versions that are added at once are all there, under numbers of their own', async () => {
  const made = await Promise.all(Array.from({ length: 6 }, () => stored.addVersion(account, model.id)));
  expect(made.map(({ number }) => number).sort()).toEqual([1, 2, 3, 4, 5, 6]);
  expect(await stored.folders()).toEqual(made.map(({ uid }) => uid).sort());
  expect(await stored.drafts()).toEqual([]);
});

test('its folder is what an inference process takes by the reference', async () => {
  const version = await stored.addVersion(account, model.id);
  const ref = stored.versions.ref(model, version);
  const manifest = JSON.parse(await readFile(join(ref.dir, 'manifest.json'), 'utf8'));
  expect(ref).toEqual({ id: manifest.id, version: manifest.version, dir: stored.files.folder(version.uid) });
  expect([ref.id, ref.version]).toEqual([model.uid, version.uid]);
});

test('a job that adds its version twice has added it once', async () => {
  const jobId = 'job-1';
  const first = await stored.addVersion(account, model.id, { jobId });
  expect(await stored.addVersion(account, model.id, { jobId })).toEqual(first);
  const atOnce = ['job-2', 'job-2'].map((id) => stored.addVersion(account, model.id, { jobId: id }));
  const [one, two] = await Promise.all(atOnce);
  expect(one).toEqual(two);
  expect(await stored.folders()).toHaveLength(2);
});

test('a version of work that lost its lease is not added, and leaves nothing', async () => {
  const { database } = stored;
  const rows = createRowLeases({ database, owner: createLeaseOwner(''), leaseMs: 30_000 });
  const lease = await rows.take('a training');
  const { query } = database;
  await database.write([
    query.updateTable('lease').set({ owner: 'another' }).where('name', '=', 'a training'),
  ]);
  await expect(stored.addVersion(account, model.id, { fence: lease?.fence ?? [] })).rejects.toThrow();
  expect(await stored.folders()).toEqual([]);
  expect(await stored.drafts()).toEqual([]);
  expect(await current()).toBeNull();
  // Its number is not used up either.
  expect(await stored.addVersion(account, model.id)).toMatchObject({ number: 1 });
  await lease?.release();
});

test('switching and rolling back take one step, and only to a version that there is', async () => {
  for (let count = 0; count < 2; count += 1) await stored.addVersion(account, model.id);
  expect(await stored.versions.activate(account, model.id, 1)).toMatchObject({ version: 1 });
  expect(await stored.versions.activate(account, model.id, 2)).toMatchObject({ version: 2 });
  for (const number of [0, 3]) {
    await expect(stored.versions.activate(account, model.id, number)).rejects.toMatchObject({
      code: 'not_found',
    });
  }
  expect(await current()).toBe(2);
});

test('a new version has the settings of the newest, and a classifier has none', async () => {
  const { versions } = stored;
  await stored.addVersion(account, model.id);
  await expect(versions.change(account, model.id, 1, { oneLabel: true })).rejects.toMatchObject({
    code: 'wrong_parameters',
  });
  const task = 'object_detection';
  const { id } = await stored.models.create(account, { name: 'b', description: '', task });
  const add = async () => versions.add(account, id, await newVersion(versions, {}, 'detector'));
  expect((await add()).oneLabel).toBe(false);
  expect((await versions.change(account, id, 1, { oneLabel: true })).oneLabel).toBe(true);
  expect((await add()).oneLabel).toBe(true);
  expect((await versions.change(account, id, 2, { oneLabel: false })).oneLabel).toBe(false);
  expect((await versions.read(account, id, 1)).oneLabel).toBe(true);
  await expect(versions.change(account, id, 3, { oneLabel: true })).rejects.toMatchObject({
    code: 'not_found',
  });
  const other = await stored.makeAccount('two');
  await expect(versions.change(other, id, 1, { oneLabel: false })).rejects.toMatchObject({
    code: 'not_found',
  });
  expect((await versions.read(account, id, 1)).oneLabel).toBe(true);
});

test('a version goes with its files, but not while it predicts', async () => {
  const { remove } = stored.versions;
  const [first, second] = [
    await stored.addVersion(account, model.id),
    await stored.addVersion(account, model.id),
  ];
  await expect(remove(account, model.id, 2)).rejects.toMatchObject({ code: 'conflict' });
  await remove(account, model.id, first.number);
  expect(await stored.folders()).toEqual([second.uid]);
  await expect(remove(account, model.id, 1)).rejects.toMatchObject({ code: 'not_found' });
  expect((await stored.addVersion(account, model.id)).number).toBe(3);
});

test('a version that is removed while it is switched to is either there and in use, or neither', async () => {
  await stored.addVersion(account, model.id);
  for (let round = 0; round < 10; round += 1) {
    const { number } = await stored.addVersion(account, model.id, { isActivated: false });
    await Promise.allSettled([
      stored.versions.activate(account, model.id, number),
      stored.versions.remove(account, model.id, number),
    ]);
    const inUse = await current();
    await expect(stored.versions.read(account, model.id, inUse ?? 0)).resolves.toMatchObject({});
  }
});

test('a file of another task is refused, and nothing of it stays', async () => {
  const given = await newVersion(stored.versions, {}, 'detector');
  await expect(stored.versions.add(account, model.id, given)).rejects.toMatchObject({
    code: 'wrong_parameters',
    message: expect.stringMatching(/detector.*classification/),
  });
  expect([await stored.folders(), await stored.drafts()]).toEqual([[], []]);
});

test("what is another account's is not found, and not touched", async () => {
  const other = await stored.makeAccount('two');
  const { number } = await stored.addVersion(account, model.id);
  const { activate, list, read, remove, report } = stored.versions;
  const notFound = { code: 'not_found' };
  await expect(read(other, model.id, number)).rejects.toMatchObject(notFound);
  await expect(report(other, model.id, number)).rejects.toMatchObject(notFound);
  await expect(list(other, model.id, { limit: 1, after: undefined })).rejects.toMatchObject(notFound);
  await expect(activate(other, model.id, number)).rejects.toMatchObject(notFound);
  await expect(remove(other, model.id, number)).rejects.toMatchObject(notFound);
  await expect(stored.addVersion(other, model.id)).rejects.toMatchObject(notFound);
  expect([await current(), await stored.drafts()]).toEqual([1, []]);
});

test('what a killed service left is swept: drafts are deleted at once, folders without a row quarantined after an hour', async () => {
  const { uid } = await stored.addVersion(account, model.id);
  await mkdir(await stored.versions.draft(1));
  const orphan = join(stored.folder.customModelsDir, '00000000-0000-4000-8000-000000000000');
  await mkdir(orphan);
  const again = await stored.open();
  expect(await stored.drafts()).toEqual([]);
  await sweepOnce(again.sweptVersions, stored.folder);
  expect(await stored.folders()).toHaveLength(2);
  const longAgo = new Date(Date.now() - 2 * 3_600_000);
  await utimes(orphan, longAgo, longAgo);
  await utimes(stored.files.folder(uid), longAgo, longAgo);
  await sweepOnce(again.sweptVersions, stored.folder);
  expect(await stored.folders()).toEqual([uid]);
});
