import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../http/fixtures/test-service.js';
import { newVersion } from '../../training/models/fixtures/stored-models.js';
import { openQuarantine } from '../quarantine/quarantine.js';
import type { StoreName } from '../quarantine/store-names.js';
import { resumeSweeps, suspendSweeps } from '../sweep-suspension.js';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const start = Date.now();

let service: TestService;
let now: number;
beforeEach(async () => {
  now = start;
  service = await startTestService({ sweepClock: () => now });
});
afterEach(() => service.stop());

/** Files of each kind with their rows, all of them written two hours ago. */
async function fill(each: number) {
  const { database, accountId, datasets, faces, customModels, imageFiles } = service;
  const { query } = database;
  const blob = async (
    store: { write: typeof imageFiles.write; placeOf: typeof imageFiles.placeOf },
    id: string,
  ) => {
    await store.write(id, Readable.from([Buffer.from(id)]));
    await age(store.placeOf(id));
    return id;
  };
  const dataset = await datasets.datasets.create(accountId, {
    name: 'd',
    task: 'classification',
    multiLabel: false,
  });
  for (let n = 0; n < each; n += 1) {
    const name = String(n).padStart(4, '0');
    const [fileid, blobId] = [
      await blob(imageFiles, `${name}${'a'.repeat(28)}`),
      `image-${name}-${dataset.id}`,
    ];
    await blob(datasets.blobs, blobId);
    await database.write([
      query.insertInto('analysis').values({
        fileid,
        account_id: accountId,
        key_id: service.keyId,
        operation: 'v2.predict',
        created_at: start,
        expires_at: start + 90 * dayMs,
        record: '{}',
        summary: '',
        search_text: '',
        image_bytes: 1,
        image_kind: 'jpeg',
      }),
    ]);
    await datasets.images.add(accountId, dataset.id, {
      fileName: `${name}.jpg`,
      blobId,
      kind: 'jpeg',
      bytes: 1,
      sha256: name.repeat(16),
      fingerprint: '0'.repeat(32),
      width: 8,
      height: 8,
      split: null,
      isLabelled: false,
      isPartlyLabelled: false,
      labels: [],
    });
  }
  const model = await customModels.models.create(accountId, {
    name: 'm',
    description: '',
    task: 'classification',
  });
  for (let n = 0; n < Math.min(each, 4); n += 1) {
    const version = await customModels.versions.add(
      accountId,
      model.id,
      await newVersion(customModels.versions),
    );
    await age(customModels.files.folder(version.uid));
  }
  return { dataset, model, faces };
}

async function age(path: string, ageMs = 2 * hourMs): Promise<void> {
  const at = (start - ageMs) / 1000;
  await utimes(path, at, at);
}

/** Takes all rows away that name files, as an older database would; answers what puts them back. */
async function forgetRows() {
  const { database } = service;
  const { query } = database;
  const analyses = await query.selectFrom('analysis').selectAll().execute();
  const images = await query.selectFrom('dataset_image').selectAll().execute();
  const versions = await query.selectFrom('model_version').selectAll().execute();
  await database.write([
    query.deleteFrom('analysis'),
    query.deleteFrom('dataset_image'),
    query.deleteFrom('model_version'),
  ]);
  return async () => {
    await database.write([
      query.insertInto('analysis').values(analyses),
      query.insertInto('dataset_image').values(images),
      query.insertInto('model_version').values(versions),
    ]);
  };
}

async function idsIn(name: StoreName): Promise<string[]> {
  const store = {
    images: service.imageFiles,
    faces: service.faces.imageFiles,
    datasets: service.datasets.blobs,
    imports: service.imports,
    models: service.customModels.sweptVersions,
    drops: service.dropStore.sweptBytes,
    media: service.media.files,
  }[name];
  const ids: string[] = [];
  for await (const { id } of store.list()) ids.push(id);
  return ids.sort();
}
const stores = ['images', 'datasets', 'models'] as const;
const idsOfAll = async () => Promise.all(stores.map(idsIn));
const quarantined = async () => {
  const found: string[] = [];
  for await (const { store, id, day } of openQuarantine(service.folder.quarantineDir).list()) {
    found.push(`${day} ${store} ${id}`);
  }
  return found.sort();
};
const errorsLogged = () => service.logLines.filter((line) => JSON.parse(line).level === 50);
const outcomesOf = async () =>
  Object.fromEntries((await service.sweeps.state()).sweeps.map(({ name, outcome }) => [name, outcome]));

describe('with an older database beside newer files', () => {
  test('nothing is moved or deleted, operators are notified, and the newer database finds all its files', async () => {
    await fill(20);
    const before = await idsOfAll();
    expect(before.map(({ length }) => length)).toEqual([20, 20, 4]);
    const putBack = await forgetRows();
    for (let hour = 0; hour < 3; hour += 1) {
      await service.sweeps.runAll();
      now += hourMs;
    }
    expect(await idsOfAll()).toEqual(before);
    expect(await quarantined()).toEqual([]);
    // Once for each store, and not again each hour.
    expect(errorsLogged().map((line) => JSON.parse(line).store)).toEqual(['images', 'datasets', 'models']);
    expect(service.sweeps.warning()).toContain('the sweep of datasets waits for an operator: 20 of 20 files');
    const metrics = await service.readMetrics();
    expect(metrics).toContain('lynceus_sweep_blocked{store="datasets"} 1');
    expect(metrics).toContain('lynceus_sweep_runs_total{sweep="datasets",outcome="blocked"} 3');
    expect(metrics).toContain('lynceus_sweep_runs_total{sweep="faces",outcome="done"} 3');

    await putBack();
    await service.sweeps.runAll();
    expect(await idsOfAll()).toEqual(before);
    expect(service.sweeps.warning()).toBeUndefined();
    expect(await service.readMetrics()).toContain('lynceus_sweep_blocked{store="datasets"} 0');
  });

  test('what an operator confirmed by mistake comes back with the newer database', async () => {
    await fill(20);
    const before = await idsOfAll();
    const putBack = await forgetRows();
    await service.sweeps.runAll();
    await expect(service.sweeps.confirm('datasets', 19)).rejects.toMatchObject({ code: 'conflict' });
    await expect(service.sweeps.confirm('faces', 1)).rejects.toMatchObject({ code: 'not_found' });
    await service.sweeps.confirm('datasets', 20);
    await service.sweeps.confirm('models', 4);
    await expect.poll(idsOfAll).toEqual([before[0], [], []]);
    expect(await quarantined()).toHaveLength(24);
    await putBack();
    // As at a start, before anything is served.
    await service.sweeps.returnNamed();
    expect(await idsOfAll()).toEqual(before);
    expect(await quarantined()).toEqual([]);
  });

  test('a confirmation is for what was seen: much more asks again', async () => {
    await fill(20);
    await forgetRows();
    await service.sweeps.runAll();
    for (let n = 0; n < 30; n += 1) {
      const id = `late-comer-${n}`;
      await service.datasets.blobs.write(id, Readable.from([Buffer.from('x')]));
      await age(service.datasets.blobs.placeOf(id));
    }
    await service.sweeps.confirm('datasets', 20);
    await service.sweeps.runAll();
    expect(await idsIn('datasets')).toHaveLength(50);
    expect(await outcomesOf()).toMatchObject({ datasets: 'blocked' });
    const state = await service.sweeps.state();
    expect(state.stores.find(({ name }) => name === 'datasets')?.blocked).toMatchObject({
      orphans: 50,
      items: 50,
      isConfirmed: false,
    });
  });
});

describe('a few files that no row names', () => {
  const orphan = 'orphan-of-a-killed-service';
  beforeEach(async () => {
    await fill(20);
    await service.datasets.blobs.write(orphan, Readable.from([Buffer.from('orphan')]));
    await age(service.datasets.blobs.placeOf(orphan));
  });

  test('are quarantined as they are, and deleted when their days are over', async () => {
    await service.sweeps.runAll();
    expect(await idsIn('datasets')).toHaveLength(20);
    const day = new Date(start).toISOString().slice(0, 10);
    expect(await quarantined()).toEqual([`${day} datasets ${orphan}`]);
    const path = join(service.folder.quarantineDir, day, 'datasets', 'unknown', orphan);
    expect(Math.round((await stat(path)).mtimeMs / 1000)).toBe(Math.round((start - 2 * hourMs) / 1000));
    now = start + 14 * dayMs;
    await service.sweeps.runAll();
    expect(await quarantined()).toHaveLength(1);
    now = start + 15 * dayMs;
    await service.sweeps.runAll();
    expect(await quarantined()).toEqual([]);
    expect(await readdir(service.folder.quarantineDir)).toEqual([]);
    expect(await idsIn('datasets')).toHaveLength(20);
    expect(await service.readMetrics()).toContain(
      'lynceus_quarantine_items_total{store="datasets",action="purged"} 1',
    );
  });

  test('return by themselves when a row names them again', async () => {
    await service.sweeps.runAll();
    expect(await service.datasets.blobs.read(orphan)).toBeNull();
    const { database } = service;
    await database.write([
      database.query
        .updateTable('dataset_image')
        .set({ blob_id: orphan })
        .where('file_name', '=', '0000.jpg'),
    ]);
    await service.sweeps.runAll();
    const found = await service.datasets.blobs.read(orphan);
    found?.stream.destroy();
    expect(found?.sizeBytes).toBe(6);
  });

  test('stay where they are, in store and in quarantine, while sweeps are suspended', async () => {
    await service.sweeps.runAll();
    await service.datasets.blobs.write('another-orphan', Readable.from([Buffer.from('x')]));
    await age(service.datasets.blobs.placeOf('another-orphan'));
    now = start + 40 * dayMs;
    const { database } = service;
    await database.write([database.query.updateTable('analysis').set({ expires_at: start })]);
    const before = [await idsOfAll(), await quarantined()];
    await suspendSweeps(service.folder, { untilMs: now + dayMs, reason: 'restore' }, now);
    await service.sweeps.runAll();
    expect([await idsOfAll(), await quarantined()]).toEqual(before);
    expect(await outcomesOf()).toMatchObject({ 'expired-analyses': 'suspended', datasets: 'suspended' });
    expect(service.sweeps.warning()).toMatch(/^sweeps are suspended until .*Z \(restore\)$/);
    expect(await service.readMetrics()).toContain('lynceus_sweeps_suspended 1');

    await resumeSweeps(service.folder);
    await service.sweeps.runAll();
    expect(await outcomesOf()).toMatchObject({ 'expired-analyses': 'done', datasets: 'done' });
    expect(await idsIn('images')).toEqual([]);
    expect(await idsIn('datasets')).toHaveLength(20);
  });
});

test('a sweep that fails stops no other, and each is counted', async () => {
  await fill(12);
  const orphan = 'orphan-beside-a-failure';
  await service.datasets.blobs.write(orphan, Readable.from([Buffer.from('x')]));
  await age(service.datasets.blobs.placeOf(orphan));
  const { database, imageFiles } = service;
  const fileid = `0000${'a'.repeat(28)}`;
  await database.write([
    database.query
      .updateTable('analysis')
      .set({ expires_at: start - 1 })
      .where('fileid', '=', fileid),
  ]);
  // In the place of an expired file is what cannot be deleted as a file.
  await rm(imageFiles.placeOf(fileid));
  await mkdir(imageFiles.placeOf(fileid));
  await service.sweeps.runAll();
  const outcomes = Object.entries(await outcomesOf());
  expect(outcomes.filter(([, outcome]) => outcome !== 'done')).toEqual([['expired-analyses', 'failed']]);
  expect(outcomes.length).toBeGreaterThan(10);
  expect(errorsLogged().map((line) => JSON.parse(line))).toMatchObject([
    { sweep: 'expired-analyses', msg: 'sweep failed' },
  ]);
  expect(await idsIn('datasets')).toHaveLength(12);
  const metrics = await service.readMetrics();
  expect(metrics).toContain('lynceus_sweep_runs_total{sweep="expired-analyses",outcome="failed"} 1');
  expect(metrics).toContain('lynceus_sweep_runs_total{sweep="ended-jobs",outcome="done"} 1');
});

test('what is known to be of an account can be deleted from quarantine with it', async () => {
  const { model } = await fill(12);
  const { customModels, accountId, database, folder } = service;
  const versions = await customModels.versions.list(accountId, model.id, { limit: 10, after: undefined });
  const [first] = versions.items;
  await database.write([
    database.query.updateTable('model').set({ version: null }),
    database.query.deleteFrom('model_version').where('uid', '=', first?.uid ?? ''),
  ]);
  await service.sweeps.runAll();
  expect(await quarantined()).toEqual([expect.stringContaining(`models ${first?.uid}`)]);
  const quarantine = openQuarantine(folder.quarantineDir);
  expect(await quarantine.deleteOwned(accountId + 1)).toBe(0);
  expect(await quarantine.deleteOwned(accountId)).toBe(1);
  expect(await quarantined()).toEqual([]);
});
