import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../core/clock.js';
import { createJobs } from '../../service/jobs/jobs.js';
import { createEnrolment } from '../enrolment.js';
import { openStoredFaces, type StoredFaces } from '../fixtures/stored-faces.js';
import { followEmbedder } from '../follow-embedder.js';
import { vectorOf } from '../index/fixtures/vectors.js';
import type { LookAtFaces } from '../look-at-faces.js';
import type { Perception } from '../perception.js';
import type { Person } from '../person.js';
import { reEmbedPerceptionKind } from './re-embed-perception.js';
import { createStoredEmbeddings, type StoredEmbeddings } from './stored-embeddings.js';
import { switchEmbedder } from './switch-embedder.js';

const [first, second] = ['test@1', 'other@1'] as const;
const both = [
  [first, second],
  [second, first],
] as const;

let faces: StoredFaces;
let account: number;
let staff: Perception;
let ada: Person;
let storedEmbeddings: StoredEmbeddings;
let jobId: string;
beforeEach(async () => {
  faces = await openStoredFaces();
  const { database } = faces;
  account = await faces.makeAccount('one');
  staff = await faces.perceptions.create(account, { name: 'staff' });
  ada = await faces.people.create(account, staff.id, { name: 'Ada' });
  storedEmbeddings = createStoredEmbeddings(database);
  const jobs = createJobs({ database, clock: systemClock });
  const job = { kind: reEmbedPerceptionKind, subject: String(staff.id), payload: null };
  const { id, statement } = jobs.insert(account, job);
  jobId = id;
  await database.write([statement]);
});
afterEach(() => faces.close());

const galleryOf = (embedder: string) => ({ accountId: account, perceptionId: staff.id, embedder });
const vectorBy = (embedder: string) => vectorOf(embedder === first ? 1 : 2, embedder === first ? 32 : 16);
const { signal } = new AbortController();
const source = () => ({ kind: 'bytes', bytes: Buffer.from(randomUUID()), encoding: 'binary' }) as const;
const imageToAdd = () => ({ source: source(), signal, acceptsDegraded: false });

/** What an embedder sees, after what happens while it looks. */
function enrolWith(whileLooking: (embedder: string) => Promise<unknown>) {
  const { people, images, imageFiles, index, quota, database, perceptions } = faces;
  const looked: string[] = [];
  const lookAtFaces: LookAtFaces = async (_source, { embedder }) => {
    looked.push(embedder);
    await whileLooking(embedder);
    const point = { x: 1, y: 1 };
    const quality = { sizePx: 110, sharpness: 100, yawDeg: 0, pitchDeg: 0, rollDeg: 0, brightness: 128 };
    const face = {
      box: { xMin: 10, yMin: 20, xMax: 110, yMax: 140 },
      score: 0.99,
      points: [point, point, point, point, point] as const,
      quality: { ...quality, problems: [] },
      embedding: vectorBy(embedder),
    };
    return { kind: 'jpeg', width: 640, height: 480, faces: [face], models: [], timingsMs: {} };
  };
  const commit = database.write;
  const { add } = createEnrolment({ lookAtFaces, people, images, imageFiles, index, quota, commit });
  return { add: followEmbedder(add, perceptions), looked };
}

/** Describes what is missing and switches, until that succeeds. */
async function changeTo(to: string, from: string): Promise<void> {
  for (;;) {
    for await (const image of storedEmbeddings.missing(galleryOf(to))) {
      const embedded = { vector: vectorBy(to), quality: image.face.quality };
      await storedEmbeddings.keepVector(galleryOf(to), image, embedded, []);
    }
    if (await switchEmbedder(faces.database, { ...galleryOf(to), from, to, jobId, fence: [] })) return;
  }
}

test('an image that was looked at before a change and added after it has the vector of the new embedder', async () => {
  const before = await faces.addImage(account, ada, { embedder: first });
  let isChanged = false;
  const { add, looked } = enrolWith(async () => {
    if (isChanged) return;
    isChanged = true;
    await changeTo(second, first);
  });
  const added = await add(account, staff, { person: ada }, imageToAdd());
  const key = await add(account, staff, { keyId: 'bob' }, imageToAdd());
  expect([added.outcome, key.outcome]).toEqual(['added', 'added']);
  // The second one knew no better when it began, and looked twice as well.
  expect(looked).toEqual([first, second, first, second]);
  expect(await storedEmbeddings.countMissing(galleryOf(second))).toBe(0);
  expect(await storedEmbeddings.countVectors(galleryOf(first))).toEqual([
    { embedder: second, images: 3 },
    { embedder: first, images: 1 },
  ]);
  expect((await faces.images.read(account, before)).id).toBe(before);
  // What the first looks wrote is removed again.
  expect(await faces.blobIds()).toHaveLength(3);
});

test('an embedder that has not described every image is not switched to', async () => {
  const id = await faces.addImage(account, ada, { embedder: first });
  const wanted = { ...galleryOf(second), from: first, to: second, jobId, fence: [] };
  expect(await switchEmbedder(faces.database, wanted)).toBe(false);
  await storedEmbeddings.leaveOut(galleryOf(second), { imageId: id, reason: 'no-face' }, []);
  expect(await switchEmbedder(faces.database, { ...wanted, jobId: randomUUID() })).toBe(false);
  expect(await switchEmbedder(faces.database, wanted)).toBe(true);
  expect(await switchEmbedder(faces.database, wanted)).toBe(false);
});

test('the first image of an account and a change of its empty perception do not miss each other', async () => {
  for (let round = 0; round < 20; round += 1) {
    const other = await faces.makeAccount(`account ${round}`);
    const perception = await faces.perceptions.create(other, { name: 'staff' });
    const person = await faces.people.create(other, perception.id, { name: 'Ada' });
    const { add } = enrolWith(async () => undefined);
    const gallery = { accountId: other, perceptionId: perception.id };
    const of = { ...gallery, from: first, to: second, jobId, fence: [] };
    const [, isSwitched] = await Promise.all([
      add(other, perception, { person }, imageToAdd()),
      switchEmbedder(faces.database, of),
    ]);
    const embedder = isSwitched ? second : first;
    expect(await storedEmbeddings.countMissing({ ...gallery, embedder })).toBe(0);
  }
});

test('under changes there and back, no acknowledged image is ever without a vector of the embedder in use', async () => {
  // While images come faster than they are described, there is no change.
  const { add } = enrolWith(() => sleep(20 * Math.random()));
  let isOver = false;
  let added = 0;
  const writer = async () => {
    while (!isOver) {
      const perception = await faces.perceptions.read(account, staff.id);
      // Three changes in a row may overtake it: then it is refused, and nothing is kept.
      const result = await add(account, perception, { person: ada }, imageToAdd()).catch(() => null);
      if (result?.outcome === 'added') added += 1;
    }
  };
  const addMore = async () => {
    for (const before = added; added === before; ) await sleep(5);
  };
  const writers = [1, 2, 3].map(writer);
  try {
    for (const [from, to] of Array.from({ length: 8 }, () => both).flat()) {
      await changeTo(to, from);
      await addMore();
      expect(await isComplete(to)).toBe(true);
    }
  } finally {
    isOver = true;
    await Promise.all(writers);
  }
  expect(await isComplete(first)).toBe(true);
  expect(await faces.images.count(account, staff.id)).toBe(added);
}, 300_000);

async function isComplete(embedder: string): Promise<boolean> {
  return (await storedEmbeddings.countMissing(galleryOf(embedder))) === 0;
}
