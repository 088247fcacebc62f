import { EngineError, type Face } from '@lynceus/engine';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ServiceError } from '../../core/service-error.js';
import { createEnrolment } from '../enrolment.js';
import { dimensions, openStoredFaces, type StoredFaces } from '../fixtures/stored-faces.js';
import { vectorOf } from '../index/fixtures/vectors.js';
import type { EmbeddedFace } from '../look-at-faces.js';
import type { Perception } from '../perception.js';
import { createEnrolImage } from './enrol-image.js';
import { enrolTree } from './enrol-tree.js';
import { type ListedFile, openTree } from './fixtures/listed-tree.js';
import type { ImageVerdict } from './verdict.js';
import { findWhoseFolders } from './whose-folders.js';

let faces: StoredFaces;
let account: number;
let staff: Perception;
let serial = 0;
let lookingNow = 0;
let lookingMost = 0;
beforeEach(async () => {
  faces = await openStoredFaces();
  account = await faces.makeAccount('one');
  staff = await faces.perceptions.create(account, { name: 'staff' });
  [lookingNow, lookingMost] = [0, 0];
});
afterEach(() => faces.close());

const point = { x: 1, y: 1 };
/** Images of one person, whose name begins the path, resemble each other: their cosine is about .8. */
function faceOf(path: string, problems: Face['quality']['problems']): EmbeddedFace {
  serial += 1;
  const [own, other] = [vectorOf(1000 + path.charCodeAt(0), dimensions), vectorOf(serial, dimensions)];
  const sum = own.map((value, index) => 2 * value + (other[index] ?? 0));
  const length = Math.hypot(...sum);
  return {
    box: { xMin: 10, yMin: 20, xMax: 110, yMax: 140 },
    score: 0.99,
    points: [point, point, point, point, point],
    quality: { sizePx: 110, sharpness: 9, yawDeg: 0, pitchDeg: 0, rollDeg: 0, brightness: 128, problems },
    embedding: sum.map((value) => value / length),
  };
}

/** Sees a face in every image, unless its words say otherwise. */
async function see(words: string): Promise<readonly EmbeddedFace[]> {
  lookingNow += 1;
  lookingMost = Math.max(lookingMost, lookingNow);
  await new Promise((resolve) => setTimeout(resolve, 30));
  lookingNow -= 1;
  if (words.includes('landscape')) return [];
  if (words.includes('damaged')) throw new ServiceError('unsupported_image', 'the image is damaged');
  if (words.includes('lost')) throw new ServiceError('service_busy', 'the inference process was lost');
  if (words.includes('no model')) {
    throw new ServiceError('internal_error', 'a model is missing', {
      cause: new EngineError('model-missing', 'gone'),
    });
  }
  if (words.includes('dark')) return [faceOf(words, ['too-dark'])];
  return [faceOf(words, words.includes('blurred') ? ['blurred'] : [])];
}

/** Answers `path: verdict` in the order of paths; the bytes of a file are its path, unless it is given otherwise. */
async function enrol(
  files: readonly (string | ListedFile)[],
  {
    signal = new AbortController().signal,
    onVerdict = (_verdict: ImageVerdict) => {},
    acceptsDegraded = false,
  } = {},
) {
  const { people, images, imageFiles, index, quota, database } = faces;
  const enrolment = createEnrolment({
    people,
    images,
    imageFiles,
    index,
    quota,
    lookAtFaces: async (source) => {
      const words = source.kind === 'bytes' ? Buffer.from(source.bytes).toString() : '';
      return { kind: 'jpeg', width: 640, height: 480, faces: await see(words), models: [], timingsMs: {} };
    },
    commit: (statements) => database.write(statements),
  });
  const tree = openTree(files);
  const verdicts: ImageVerdict[] = [];
  await enrolTree({
    tree,
    folders: await findWhoseFolders(tree),
    enrol: createEnrolImage({ ...faces, enrolment }, account, staff, { acceptsDegraded }),
    inFlight: 4,
    signal,
    onVerdict(verdict) {
      verdicts.push(verdict);
      onVerdict(verdict);
    },
  });
  return verdicts.sort((a, b) => (a.path < b.path ? -1 : 1));
}
const short = (verdicts: readonly ImageVerdict[]) =>
  verdicts.map(({ path, verdict }) => `${path}: ${verdict}`);

async function people() {
  const { items } = await faces.people.list(account, staff.id, {}, { limit: 100, after: undefined });
  return Object.fromEntries(items.map(({ name, keyId, images }) => [keyId ?? name, images]));
}
const as = (path: string, words: string): ListedFile => ({
  path,
  read: async () => ({ bytes: Buffer.from(words) }),
});

test('a person is made once, with all images of the folder, many at a time', async () => {
  const paths = ['Ada', 'Bob'].flatMap((name) => [1, 2, 3, 4, 5].map((number) => `${name}/${number}.jpg`));
  const verdicts = await enrol(paths);
  expect(short(verdicts)).toEqual(paths.map((path) => `${path}: added`));
  expect(await people()).toEqual({ Ada: 5, Bob: 5 });
  expect(new Set(verdicts.map(({ imageId }) => imageId)).size).toBe(10);
  expect(lookingMost).toBeGreaterThan(1);
  expect(lookingMost).toBeLessThanOrEqual(4);
});

test('once more adds nothing, and only what is new after that', async () => {
  await enrol(['Ada/1.jpg', 'Ada/2.jpg']);
  const again = await enrol(['Ada/1.jpg', 'Ada/2.jpg', 'Ada/3.jpg']);
  expect(short(again)).toEqual(['Ada/1.jpg: there-already', 'Ada/2.jpg: there-already', 'Ada/3.jpg: added']);
  expect(await people()).toEqual({ Ada: 3 });
});

test('a person who exists is found by name, spelt in either way of Unicode, and by key id before that', async () => {
  await faces.people.create(account, staff.id, { name: 'Zoe\u0308' });
  await faces.people.create(account, staff.id, { name: 'Ada', keyId: 'a-7' });
  await faces.people.create(account, staff.id, { name: 'a-7', keyId: 'other' });
  await enrol(['Zoë/1.jpg', 'a-7/1.jpg', 'Ada/2.jpg']);
  expect(await people()).toEqual({ 'Zoe\u0308': 1, 'a-7': 2, other: 0 });
});

test('a name that several people have is refused, and says what to do', async () => {
  for (const name of ['Ada', 'Ada']) await faces.people.create(account, staff.id, { name });
  const [verdicts] = await enrol(['Ada/1.jpg']);
  expect(verdicts).toMatchObject({ verdict: 'refused', advice: expect.stringMatching(/merge or rename/) });
  expect((await enrol(['Bob/1.jpg']))[0]).toMatchObject({ verdict: 'added' });
});

test('the same image is added once: under one name, and not under a second', async () => {
  const files = [as('Ada/1.jpg', 'x'), as('Ada/2.jpg', 'x'), as('Bob/1.jpg', 'x'), as('Bob/2.jpg', 'y')];
  const verdicts = await enrol(files);
  expect(short(verdicts)).toEqual([
    'Ada/1.jpg: added',
    'Ada/2.jpg: there-already',
    'Bob/1.jpg: under-another-name',
    'Bob/2.jpg: added',
  ]);
  expect(verdicts[2]).toMatchObject({
    imageId: verdicts[0]?.imageId,
    advice: expect.stringMatching(/image of Ada/),
  });
});

test('no person is created without an image that is kept', async () => {
  staff = await faces.perceptions.change(account, staff.id, { refusedProblems: ['blurred'] });
  const verdicts = await enrol(['Ada/blurred.jpg', 'Bob/landscape.jpg', 'Cyd/damaged.jpg', 'Dan/lost.jpg']);
  expect(short(verdicts)).toEqual([
    'Ada/blurred.jpg: refused',
    'Bob/landscape.jpg: no-face',
    'Cyd/damaged.jpg: not-an-image',
    'Dan/lost.jpg: failed',
  ]);
  expect(await people()).toEqual({});
  expect(await faces.blobIds()).toEqual([]);
});

test('advice comes with an image that is added nonetheless', async () => {
  const [verdicts] = await enrol(['Ada/dark.jpg']);
  expect(verdicts).toMatchObject({
    verdict: 'added-with-advice',
    advice: expect.stringMatching(/is too dark/),
  });
});

test('a degraded face is added only where that is asked for', async () => {
  const [refused] = await enrol(['Ada/blurred.jpg']);
  expect(refused).toMatchObject({
    verdict: 'refused',
    advice: expect.stringMatching(/is blurred.*--accept-problems/),
  });
  expect(await people()).toEqual({});
  const [accepted] = await enrol(['Ada/blurred.jpg'], { acceptsDegraded: true });
  expect(accepted).toMatchObject({
    verdict: 'added-with-advice',
    advice: expect.stringMatching(/is blurred/),
  });
});

test('an image whose name the zip leaves open is added with advice', async () => {
  const read = async () => ({ bytes: Buffer.from('Ada/1.jpg') });
  const [verdict] = await enrol([{ path: 'Ada/1.jpg', hasGuessedName: true, read }]);
  expect(verdict).toMatchObject({
    verdict: 'added-with-advice',
    advice: expect.stringMatching(/names in UTF-8/),
  });
});

test('what cannot be read is a verdict, and the next image is added', async () => {
  const verdicts = await enrol([
    { path: 'Ada/0.jpg', refusal: 'it is a link' },
    { path: 'Ada/1.jpg', read: async () => ({ problem: 'too-large', reason: 'more than 9 bytes' }) },
    '2.jpg',
    'Ada/3.jpg',
  ]);
  expect(short(verdicts)).toEqual([
    '2.jpg: refused',
    'Ada/0.jpg: not-read',
    'Ada/1.jpg: too-large',
    'Ada/3.jpg: added',
  ]);
});

test('it stops after the images in hand, and goes on from there', async () => {
  const stop = new AbortController();
  const paths = Array.from({ length: 30 }, (_, index) => `Ada/${String(index).padStart(2, '0')}.jpg`);
  const verdicts = await enrol(paths, { signal: stop.signal, onVerdict: () => stop.abort() });
  expect(verdicts.length).toBeLessThan(10);
  expect(await people()).toEqual({ Ada: verdicts.length });
  await enrol(paths);
  expect(await people()).toEqual({ Ada: 30 });
});

test('what would befall every image ends it at once', async () => {
  const paths = ['Ada/no model.jpg', ...Array.from({ length: 30 }, (_, index) => `Bob/${index}.jpg`)];
  let verdicts = 0;
  await expect(enrol(paths, { onVerdict: () => void verdicts++ })).rejects.toThrow('a model is missing');
  expect(verdicts).toBeLessThan(10);
});

test('a person who is deleted meanwhile fails one image, and is created again by the next', async () => {
  await enrol(['Ada/1.jpg']);
  const { items } = await faces.people.list(account, staff.id, {}, { limit: 1, after: undefined });
  const deleting = {
    path: 'Ada/2.jpg',
    async read() {
      // Until the first image has found her.
      await new Promise((resolve) => setTimeout(resolve, 100));
      await faces.deletion.removePerson(account, items[0]?.id ?? 0);
      return { bytes: Buffer.from('2') };
    },
  };
  const verdicts = await enrol(['Ada/1.jpg', deleting, 'Ada/3.jpg']);
  expect(verdicts.map(({ verdict }) => verdict).sort()).toEqual(['added', 'failed', 'there-already']);
  expect(verdicts.find(({ verdict }) => verdict === 'failed')?.advice).toMatch(/is there no longer/);
  expect(await people()).toEqual({ Ada: 1 });
});

test('a perception that is deleted meanwhile ends it, and nothing is left', async () => {
  const deleting = {
    path: 'Ada/05.jpg',
    async read() {
      await faces.deletion.removePerception(account, staff.id);
      return { bytes: Buffer.from('5') };
    },
  };
  const paths = Array.from({ length: 20 }, (_, index) => `Bob/${index}.jpg`);
  const enrolling = enrol(['Ada/01.jpg', deleting, ...paths]);
  await expect(enrolling).rejects.toThrow(`model_id ${staff.id} is not one of your perceptions`);
  expect(await faces.blobIds()).toEqual([]);
});

test('a perception that changes its embedder meanwhile gets every image, the later ones by the new one', async () => {
  const { query } = faces.database;
  let change: Promise<unknown> | undefined;
  const paths = ['Ada', 'Bob', 'Eve'].flatMap((name) =>
    [1, 2, 3, 4].map((number) => `${name}/${number}.jpg`),
  );
  const verdicts = await enrol(paths, {
    onVerdict() {
      change ??= faces.database.write([
        query
          .updateTable('perception')
          .set({ embedder: 'other@1' })
          .where('account_id', '=', account)
          .where('id', '=', staff.id),
      ]);
    },
  });
  await change;
  // With advice or without: faces of the new embedder may match a person.
  expect(verdicts.filter(({ imageId }) => imageId === null)).toEqual([]);
  expect(verdicts).toHaveLength(12);
  expect(await people()).toEqual({ Ada: 4, Bob: 4, Eve: 4 });
  const rows = await query
    .selectFrom('face_embedding')
    .select(['embedder', (from) => from.fn.countAll<number>().as('count')])
    .groupBy('embedder')
    .orderBy('embedder')
    .execute();
  expect(rows.map((row) => row.embedder)).toEqual(['other@1', staff.embedder]);
  expect(rows.reduce((sum, row) => sum + row.count, 0)).toBe(12);
});
