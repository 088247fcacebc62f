import type { FaceQuality } from '@lynceus/engine';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createEnrolment } from './enrolment.js';
import { openStaff, type Staff } from './fixtures/staff.js';
import { dimensions, embedder } from './fixtures/stored-faces.js';
import { vectorOf } from './index/fixtures/vectors.js';
import type { EmbeddedFace } from './look-at-faces.js';

let faces: Staff['faces'];
let account: Staff['account'];
let staff: Staff['staff'];
let ada: Staff['ada'];
let bob: Staff['bob'];
beforeEach(async () => {
  ({ faces, account, staff, ada, bob } = await openStaff());
});
afterEach(() => faces.close());

const quality: FaceQuality = {
  sizePx: 110,
  sharpness: 100,
  yawDeg: 0,
  pitchDeg: 0,
  rollDeg: 0,
  brightness: 128,
  problems: [],
};
const point = { x: 1, y: 1 };
const face: EmbeddedFace = {
  box: { xMin: 10, yMin: 20, xMax: 110, yMax: 140 },
  score: 0.99,
  points: [point, point, point, point, point],
  quality,
  embedding: vectorOf(1, dimensions),
};

/** Adds an image to Ada; `between` happens when its row is there and its enrolment has not ended. */
async function addWhile(between: () => Promise<unknown>): Promise<void> {
  const { people, images, imageFiles, index, quota, database } = faces;
  const enrolment = createEnrolment({
    lookAtFaces: async () => ({
      kind: 'jpeg',
      width: 640,
      height: 480,
      faces: [face],
      models: [],
      timingsMs: {},
    }),
    people,
    images,
    imageFiles,
    index,
    quota,
    commit: async (statements) => {
      const results = await database.write(statements);
      await between();
      return results;
    },
  });
  const source = { kind: 'bytes', bytes: Buffer.from('image'), encoding: 'binary' } as const;
  const { signal } = new AbortController();
  await enrolment.add(account, staff, { person: ada }, { source, signal });
}

const nearest = () =>
  faces.index.nearestPeople({ accountId: account, perceptionId: staff.id, embedder }, face.embedding, {
    people: 5,
  });

test('an image whose person is merged while it is added is found as the other', async () => {
  await addWhile(() => faces.regrouping.merge(account, ada.id, bob.id));
  expect((await nearest()).map(({ personId }) => personId)).toEqual([bob.id]);
});

test('an image whose person is deleted while it is added is found no more', async () => {
  await addWhile(() => faces.deletion.removePerson(account, ada.id));
  expect(await nearest()).toEqual([]);
  expect(await faces.blobIds()).toEqual([]);
});
