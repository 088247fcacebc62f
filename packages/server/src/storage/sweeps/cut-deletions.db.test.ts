import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDeletion } from '../../faces/deletion.js';
import { openStoredFaces } from '../../faces/fixtures/stored-faces.js';
import { createDatasets } from '../../training/datasets/datasets.js';
import { createDatasetDeletion } from '../../training/datasets/deletion.js';
import { createImages } from '../../training/datasets/images.js';
import { createModelDeletion } from '../../training/models/deletion.js';
import { openStoredModels, type StoredModels } from '../../training/models/fixtures/stored-models.js';
import { openVersionFiles } from '../../training/models/version-files.js';
import { openFolderBlobs } from '../blobs/folder-blobs.js';
import type { Database } from '../database.js';

const clock = Date.now;
let stored: StoredModels;
let account: number;
beforeAll(async () => {
  stored = await openStoredModels();
  account = await stored.makeAccount('one');
});
afterAll(() => stored.close());

/** The same database, until it has written once: as a service that is killed after it marked what it deletes. */
function diesAfterOneWrite(database: Database): Database {
  let writes = 0;
  return {
    ...database,
    async write(...unit) {
      writes += 1;
      if (writes > 1) throw new Error('killed');
      return database.write(...unit);
    },
  };
}

test('a deletion of a dataset that was cut leaves no file without a row', async () => {
  const blobs = await openFolderBlobs(stored.folder.datasetsDir);
  const { database } = stored;
  const datasets = createDatasets({ database, clock, limits: { accountMaxDatasets: 0 } });
  const { id } = await datasets.create(account, { name: 'd', task: 'classification', multiLabel: false });
  await blobs.write('blob-of-an-image', Readable.from([Buffer.from('x')]));
  await createImages({ database, clock }).add(account, id, {
    fileName: 'a.jpg',
    blobId: 'blob-of-an-image',
    kind: 'jpeg',
    bytes: 1,
    sha256: 'ab'.repeat(32),
    fingerprint: '0'.repeat(32),
    width: 8,
    height: 8,
    split: null,
    isLabelled: false,
    isPartlyLabelled: false,
    labels: [],
  });
  const deletion = (on: Database) => createDatasetDeletion({ database: on, clock, blobs });
  await expect(deletion(diesAfterOneWrite(database)).removeDataset(account, id)).rejects.toThrow('killed');
  expect(await blobs.sizeOf('blob-of-an-image')).toBeNull();
  expect(await deletion(database).finish()).toBe(1);
});

test('a deletion of a model that was cut leaves no folder without a row', async () => {
  const { id } = await stored.models.create(account, { name: 'm', description: '', task: 'classification' });
  await stored.addVersion(account, id);
  const files = await openVersionFiles(stored.folder.customModelsDir, { mayServiceBeRunning: true });
  const deletion = (database: Database) =>
    createModelDeletion({ database, clock, files, features: stored.features });
  await expect(deletion(diesAfterOneWrite(stored.database)).removeModel(account, id)).rejects.toThrow(
    'killed',
  );
  expect(await stored.folders()).toEqual([]);
  expect(await deletion(stored.database).finish()).toBe(1);
});

test('a deletion of a perception that was cut leaves no file without a row', async () => {
  const faces = await openStoredFaces();
  try {
    const { database, index, imageFiles, leases } = faces;
    const owner = await faces.makeAccount('one');
    const { id } = await faces.perceptions.create(owner, { name: 'staff' });
    await faces.addImage(owner, await faces.people.create(owner, id, { name: 'Ada' }));
    const deletion = (on: Database) => createDeletion({ database: on, clock, index, imageFiles, leases });
    await expect(deletion(diesAfterOneWrite(database)).removePerception(owner, id)).rejects.toThrow('killed');
    expect(await faces.blobIds()).toEqual([]);
    expect(await deletion(database).finish()).toBe(1);
  } finally {
    await faces.close();
  }
});
