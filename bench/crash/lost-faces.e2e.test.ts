import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStoredFaces, type StoredFaces as TestFaces } from '#server/faces/fixtures/stored-faces.js';
import { vectorOf } from '#server/faces/index/fixtures/vectors.js';
import type { Person } from '#server/faces/person.js';
import type { Visitor } from '../load/visitor.js';
import { createFaceLedger, type FaceLedger } from './face-ledger.js';
import { findLostFaces } from './lost-faces.js';
import { hashOf, readStoredFaces } from './stored-faces.js';
import { findMisindexedFaces, findUnfoundFaces } from './unfound-faces.js';

// Losses that the tests plant: each must be reported, and nothing else.

let faces: TestFaces;
let account: number;
let modelId: number;
let ada: Person;
let bob: Person;
let ledger: FaceLedger;
/** Ids of images with these images. */
let images: Map<number, Buffer>;
beforeEach(async () => {
  faces = await openStoredFaces();
  account = await faces.makeAccount('one');
  modelId = (await faces.perceptions.create(account, { name: 'staff' })).id;
  [ada, bob] = [await makePerson('Ada'), await makePerson('Bob')];
  [ledger, images] = [createFaceLedger(), new Map()];
  for (const { id } of [ada, bob]) ledger.people.set(id, { isMerged: 'no', into: null });
  for (const person of [ada, ada, bob]) await enrol(person);
});
afterEach(() => faces.close());

const makePerson = (name: string) => faces.people.create(account, modelId, { name });
async function enrol(person: Person): Promise<void> {
  const serial = images.size;
  const image = Buffer.from(`image ${serial}`);
  const blobId = `image-of-face-${serial}`;
  const vector = vectorOf(serial, 512);
  const id = await faces.addImage(account, person, { blobId, imageSha256: hashOf(image), vector });
  await faces.imageFiles.write(blobId, Readable.from([image]));
  // What the fixture wrote under a name of its own.
  for (const other of await faces.blobIds()) {
    if (!other.startsWith('image-of-face-')) await faces.imageFiles.remove(other);
  }
  images.set(id, image);
  ledger.sent += 1;
  ledger.images.set(id, { image, owners: [person.id], isDeleted: 'no', isBusy: false });
}

const imageId = (at: number): number => [...images.keys()][at] ?? 0;
const imageName = (at: number) => `image-of-face-${at}`;
/** Images of this moment count as old unless given. */
const stored = (orphanAgeMs = -1000) =>
  readStoredFaces(faces.database, faces.imageFiles, { modelId, orphanAgeMs });
async function losses(): Promise<readonly string[]> {
  const found = await stored();
  return [...found.halves, ...findLostFaces(found, ledger)];
}

test('nothing is reported where nothing is lost', async () => {
  expect(await losses()).toEqual([]);
});

test('an image without its vector is reported, and one without its image, or with another', async () => {
  const { query, write } = faces.database;
  await write([query.deleteFrom('face_embedding').where('image_id', '=', imageId(0))]);
  await faces.imageFiles.remove(imageName(1));
  await faces.imageFiles.write(imageName(2), Readable.from([Buffer.from('another')]));
  expect((await losses()).toSorted()).toEqual([
    `face image ${imageId(0)} has a vector of no bytes`,
    `face image ${imageId(1)} has no image`,
    `face image ${imageId(2)} has another image than was added`,
  ]);
});

test('an image without a row is reported once the sweep should have deleted it', async () => {
  await faces.imageFiles.write('left-over', Readable.from([Buffer.from('x')]));
  expect((await stored(60_000)).halves).toEqual([]);
  expect((await stored()).halves).toEqual(['image left-over has no face image and was not swept away']);
});

test('an image that is gone, is back, or is another person’s is reported', async () => {
  await faces.deletion.removeImages(account, [imageId(0)]);
  const [second, third] = [ledger.images.get(imageId(1)), ledger.images.get(imageId(2))];
  Object.assign(second ?? {}, { isDeleted: 'yes' });
  Object.assign(third ?? {}, { owners: [ada.id] });
  expect(await losses()).toEqual([
    `face image ${imageId(0)} is gone`,
    `face image ${imageId(1)} was deleted and is there`,
    `face image ${imageId(2)} is of person ${bob.id} (null), not ${ada.id}`,
  ]);
});

test('a merge is followed once it was answered; before, the images may be of either', async () => {
  const entry = ledger.people.get(ada.id);
  Object.assign(entry ?? {}, { isMerged: 'maybe', into: bob.id });
  expect(findLostFaces(await stored(), structuredClone(ledger))).toEqual([]);
  await faces.regrouping.merge(account, ada.id, bob.id);
  expect(findLostFaces(await stored(), ledger)).toEqual([]);
  // Settled by what was found.
  expect(entry?.isMerged).toBe('yes');
  const back = await makePerson('Ada');
  ledger.people.set(back.id, { isMerged: 'yes', into: bob.id });
  expect(await losses()).toEqual([`person ${back.id}: merged yes, there true`]);
});

test('an unanswered change may have happened or not', async () => {
  await faces.deletion.removeImages(account, [imageId(0)]);
  Object.assign(ledger.images.get(imageId(0)) ?? {}, { isDeleted: 'maybe' });
  Object.assign(ledger.images.get(imageId(1)) ?? {}, { isDeleted: 'maybe' });
  Object.assign(ledger.images.get(imageId(2)) ?? {}, { owners: [ada.id, bob.id] });
  expect(await losses()).toEqual([]);
});

test('a stored image that the service does not find is reported, and a deleted one that it finds', async () => {
  const answers = [
    { image_id: 1, person_id: 7, similarity: 1 },
    { image_id: 1, person_id: 7, similarity: 1 },
    { image_id: 3, person_id: 8, similarity: 0.7 },
  ];
  const visitor: Pick<Visitor, 'ask'> = {
    // The first byte of an image chooses the answer.
    ask: async ({ body }) => {
      const answer = answers[Number(String(body))];
      return {
        outcome: '200',
        text: JSON.stringify({ faces: [{ candidates: answer ? [answer] : [] }] }),
        fileId: undefined,
      };
    },
  };
  const asked = { modelId, key: 'a' };
  const present = [0, 1, 2, 3].map((at) => ({ id: at + 1, personId: 7, image: Buffer.from(String(at)) }));
  const outcome = await findUnfoundFaces(visitor, { ...asked, present, deleted: [] });
  expect(outcome.map((words) => words.replace(/:.*/, ''))).toEqual([
    'face image 2 of person 7 is not found',
    'face image 3 of person 7 is not found',
    'face image 4 of person 7 is not found',
  ]);
  const deleted = [
    { id: 1, image: Buffer.from('0') },
    { id: 2, image: Buffer.from('0') },
    { id: 3, image: Buffer.from('3') },
  ];
  expect(await findUnfoundFaces(visitor, { ...asked, present: [], deleted })).toEqual([
    'face image 1 was deleted and is found',
  ]);
});

test('an additional face in the index is reported, which no search would show', async () => {
  const metrics = (galleries: number) =>
    `data:text/plain,lynceus_face_index_galleries ${galleries}%0Alynceus_face_index_faces 4%0A`;
  expect(await findMisindexedFaces(metrics(1), 4)).toEqual([]);
  expect(await findMisindexedFaces(metrics(1), 3)).toEqual(['4 faces are in the index of 3 stored']);
  // One that is in the database.
  expect(await findMisindexedFaces(metrics(0), 3)).toEqual([]);
});
