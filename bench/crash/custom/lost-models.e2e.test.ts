import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { digestVersion } from '../../kill/digest-version.js';
import { countMadeAgain } from './kept-features.js';
import { type CustomLedger, createCustomLedger, type ModelEntry, type WorkEntry } from './ledger.js';
import { findLostModels } from './lost-models.js';
import { findWrongEnds } from './lost-works.js';
import type { StoredCustom, VersionRow } from './stored-custom.js';

// Losses that the tests plant: each must be reported, and nothing else.

const modelId = 1002;
let dataDir: string;
let ledger: CustomLedger;
let entry: ModelEntry;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'lynceus-kept-'));
  for (const uid of ['one', 'two']) await writeModel(uid, 'a graph');
  entry = { versions: new Map(), current: [2], isDeleted: 'no' };
  ledger = createCustomLedger();
  ledger.models.set(modelId, entry);
  // The stored state is known from here on.
  await losses({}, [null, 2, 'unheard']);
});
afterEach(() => rm(dataDir, { recursive: true }));

async function writeModel(uid: string, content: string): Promise<void> {
  const dir = join(dataDir, 'custom-models', uid);
  await mkdir(dir, { recursive: true });
  await writeFile(join(dir, 'model.onnx'), content);
}
const version = (number: number, uid: string): VersionRow => ({
  modelId,
  number,
  uid,
  labels: ['cat'],
  jobId: number === 1 ? 'job' : null,
});
const both = [version(1, 'one'), version(2, 'two')];
const stored = (given: Partial<StoredCustom>): StoredCustom => ({
  datasets: new Set(),
  classes: new Map(),
  images: new Map(),
  trainings: [],
  models: new Map([[modelId, { version: 2 }]]),
  versions: both,
  ...given,
});
function losses(given: Partial<StoredCustom>, current: ModelEntry['current'] = [2]) {
  entry.current = current;
  return findLostModels(stored(given), ledger, (uid) => digestVersion(dataDir, uid));
}

test('nothing is reported where nothing is lost', async () => {
  expect(await losses({})).toEqual([]);
  expect([...entry.versions.keys()]).toEqual([1, 2]);
});

test('a version that is missing or back, without files or with others, is reported', async () => {
  await writeModel('two', 'another graph');
  expect(await losses({ versions: [version(2, 'two'), version(3, 'three')] })).toEqual([
    'model 1002: version 1 is gone',
    'model 1002: version 2 has other files than before',
    'model 1002: version 3 has no files',
  ]);
  // The found state is known from here on: version 1 is deleted.
  await writeModel('two', 'a graph');
  expect(await losses({ versions: [...both, version(3, 'two')] })).toEqual([
    'model 1002: version 1 was deleted and is there',
  ]);
});

test('a model with another active version than was acknowledged, or with none, is reported', async () => {
  expect(await losses({}, [1])).toEqual(['version 2 of model 1002 predicts, not 1']);
  expect(await losses({}, [1, 'unheard'])).toEqual(['version 2 of model 1002 predicts, not 1 or unheard']);
  const nothing = new Map([[modelId, { version: 7 }]]);
  expect(await losses({ models: nothing }, [7])).toEqual([
    'version 7 of model 1002 predicts and is not there',
  ]);
  // Its creation was never answered.
  entry.versions.delete(2);
  expect(await losses({}, [1, 'unheard'])).toEqual([]);
});

test('a model that is missing or back, and versions that outlived theirs, are reported', async () => {
  expect(await losses({ models: new Map() })).toEqual([
    'model 1002: deleted no, there false',
    '2 versions of model 1002 outlived it',
  ]);
  entry.isDeleted = 'yes';
  for (const known of entry.versions.values()) known.isDeleted = 'no';
  expect(await losses({})).toEqual(['model 1002: deleted yes, there true']);
});

test('a job that failed for another reason than its kills, or has another outcome than was acknowledged, is reported', () => {
  const ends = (work: Partial<WorkEntry>) => {
    ledger.works.set('job', {
      kind: 'training',
      subject: modelId,
      imported: [],
      crashes: 3,
      end: null,
      ...work,
    });
    const image = { datasetId: 1, sha256: 'a', blobId: 'blob', shown: 'unsaid' } as const;
    ledger.datasets.set(1, { classes: new Map(), images: new Map(), sent: new Set(), isDeleted: 'no' });
    return findWrongEnds(ledger, stored({ images: new Map([[11, image]]) }));
  };
  const failed = (error: string) => ({ state: 'failed', result: {}, error });
  const byCrashes = failed('the service ended in 3 attempts at it');
  expect(ends({ end: byCrashes })).toEqual([]);
  expect(ends({ end: byCrashes, crashes: 2 })).toEqual([
    'the training job failed after 2 kills: the service ended in 3 attempts at it',
  ]);
  expect(ends({ end: failed('the service failed at it') })).toHaveLength(1);
  const done = (result: object) => ({ state: 'done', result: { ...result }, error: null });
  expect(ends({ end: done({ version: 1 }) })).toEqual([]);
  expect(ends({ end: done({ version: 2 }) })[0]).toMatch(/^the training job made version 2, and there are/);
  const imported = { kind: 'import', subject: 1, imported: ['a', 'b'] } as const;
  expect(ends({ ...imported, end: done({ added: 2 }) })).toEqual([
    '1 images of the import job are not there',
    '1 images of the import job have no class',
  ]);
  expect(ends({ ...imported, imported: [], end: done({ added: 1 }) })[0]).toMatch(
    /^the import job of 0 images/,
  );
});

test('features in another file than before were extracted again', () => {
  const before = new Map([
    ['a', 1],
    ['b', 2],
    ['c', 3],
  ]);
  const after = new Map([
    ['a', 1],
    ['b', 9],
    ['d', 4],
  ]);
  expect(countMadeAgain(before, after)).toBe(1);
});
