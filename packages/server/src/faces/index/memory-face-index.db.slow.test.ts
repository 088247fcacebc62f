import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import type { GalleryRef } from './face-index.js';
import { faceIndexContract } from './fixtures/face-index-contract.js';
import { type MemoryTrial, openMemoryTrial } from './fixtures/memory-trial.js';
import { vectorOf } from './fixtures/vectors.js';

const dimensions = 64;
const refOf = (perceptionId: number): GalleryRef => ({ accountId: 1, perceptionId, embedder: 'test@1' });

faceIndexContract('memory', (sharedWith?: MemoryTrial) => openMemoryTrial(sharedWith ? { sharedWith } : {}));

let trial: MemoryTrial;
afterEach(() => trial?.close());

/** Image ids count on through the perceptions, as an account's do. */
const facesOf = (perceptionId: number, count: number) =>
  Array.from({ length: count }, (_, at) => {
    const id = perceptionId * 1000 + at + 1;
    return { imageId: id, personId: id, vector: vectorOf(id, dimensions) };
  });
const nearest = (perceptionId: number, seed: number, people = 1) =>
  trial.index.nearestPeople(refOf(perceptionId), vectorOf(seed, dimensions), { people });

test('what changes while a gallery is read is as it was changed', async () => {
  trial = await openMemoryTrial();
  const faces = facesOf(1, 1200);
  await trial.rows.commit(refOf(1), faces);
  trial.pageDelayMs = 60;
  const searching = nearest(1, 1001, 2000);
  for (let at = 0; at < faces.length; at += 30) {
    await trial.rows.delete(refOf(1), [1001 + at]);
    await trial.rows.move(refOf(1), [1002 + at], 5000);
  }
  await searching;
  const found = await nearest(1, 1001, 2000);
  const kept = faces.filter((_, at) => at % 30 > 1).map(({ personId }) => personId);
  expect(new Set(found.map(({ personId }) => personId))).toEqual(new Set([...kept, 5000]));
});

test('memory is bounded: the gallery searched longest ago leaves, and comes back when it is asked', async () => {
  const oneGallery = 128 * dimensions * 4;
  trial = await openMemoryTrial({ maxBytes: 2 * oneGallery });
  for (const perceptionId of [1, 2, 3, 4]) {
    await trial.rows.commit(refOf(perceptionId), facesOf(perceptionId, 100));
    await nearest(perceptionId, 1);
    expect(trial.index.stats().bytes).toBeLessThanOrEqual(2 * oneGallery);
  }
  expect((await nearest(1, 1007))[0]).toMatchObject({ imageId: 1007 });
  await nearest(1, 1008);
  expect(trial.reads).toEqual([1, 2, 3, 4, 1]);
  expect(trial.index.stats()).toEqual({ galleries: 2, faces: 200, bytes: 2 * oneGallery });
});

test('one gallery larger than the bound is read once and not for every search', async () => {
  trial = await openMemoryTrial({ maxBytes: 1000 });
  await trial.rows.commit(refOf(1), facesOf(1, 100));
  for (const seed of [1, 2, 3]) await nearest(1, seed);
  expect(trial.reads).toEqual([1]);
});

test('a gallery that is being read holds up no search of another', async () => {
  trial = await openMemoryTrial();
  await trial.rows.commit(refOf(1), facesOf(1, 900));
  await trial.rows.commit(refOf(2), facesOf(2, 10));
  await trial.index.prepare(refOf(2));
  trial.pageDelayMs = 300;
  let isRead = false;
  const reading = trial.index.prepare(refOf(1)).then(() => {
    isRead = true;
  });
  expect((await nearest(2, 2003))[0]).toMatchObject({ imageId: 2003 });
  expect(isRead).toBe(false);
  await reading;
  expect((await nearest(1, 1900))[0]).toMatchObject({ imageId: 1900 });
});

test('a lost thread fails the searches in it as busy, and the next one finds what the database has', async () => {
  trial = await openMemoryTrial();
  await trial.rows.commit(refOf(1), facesOf(1, 100));
  const threads: Worker[] = [];
  const note = (worker: Worker) => threads.push(worker);
  process.on('worker', note);
  await nearest(1, 1001);
  process.off('worker', note);

  const searches = Array.from({ length: 50 }, () => nearest(1, 1001));
  // A commit that is on disk asks nothing of the thread.
  const commit = trial.rows.commit(refOf(1), facesOf(1, 101).slice(100));
  const killed = sleep(2).then(() => threads.at(-1)?.terminate());
  for (const outcome of await Promise.allSettled(searches)) {
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'service_busy' });
  }
  await Promise.all([commit, killed]);
  expect(trial.threadCrashes).toHaveLength(1);
  expect(trial.index.stats().galleries).toBeLessThanOrEqual(1);
  expect((await nearest(1, 1101))[0]).toMatchObject({ imageId: 1101 });
  expect(await nearest(1, 1001, 200)).toHaveLength(101);
});

test('an image that is damaged in the database is reported', async () => {
  trial = await openMemoryTrial();
  const [first, second, third] = facesOf(1, 3);
  if (!first || !second || !third) throw new Error('three faces');
  await trial.rows.commit(refOf(1), [
    first,
    { ...second, vector: second.vector.subarray(0, 30) },
    { ...third, vector: vectorOf(3, 10) },
  ]);
  expect(await nearest(1, 1001, 10)).toHaveLength(1);
  expect(trial.damaged).toEqual([second.imageId, third.imageId]);
});

test('a database that cannot be read fails the search, and the next one tries again', async () => {
  trial = await openMemoryTrial();
  await trial.rows.commit(refOf(1), facesOf(1, 900));
  trial.pageDelayMs = 20;
  trial.failPage = 2;
  await expect(nearest(1, 1002)).rejects.toThrow('no database');
  expect((await nearest(1, 1900))[0]).toMatchObject({ imageId: 1900 });
});
