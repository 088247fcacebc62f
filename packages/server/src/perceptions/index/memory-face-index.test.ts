import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { GalleryRef, IndexedFace } from './face-index.js';
import { type IndexOnTrial, promiseFaceIndex } from './fixtures/face-index-contract.js';
import { vectorOf } from './fixtures/vectors.js';
import { createMemoryFaceIndex } from './memory-face-index.js';

const dimensions = 64;
const refOf = (perceptionId: number): GalleryRef => ({ accountId: 1, perceptionId, embedder: 'test@1' });

interface Trial extends IndexOnTrial {
  /** Galleries in the order in which they were read from the database. */
  readonly reads: readonly string[];
  /** Waits before each page, so that changes come in between. */
  pageDelayMs: number;
}

/** The index over a table in memory that is read in small pages, as a database would be. */
function onTrial(maxBytes = 1024 ** 3): Trial {
  const table = new Map<string, Map<number, IndexedFace>>();
  const reads: string[] = [];
  const keyOf = (ref: GalleryRef) => JSON.stringify(ref);
  const rowsOf = (ref: GalleryRef) => {
    const rows = table.get(keyOf(ref)) ?? new Map<number, IndexedFace>();
    table.set(keyOf(ref), rows);
    return rows;
  };
  async function* loadFaces(ref: GalleryRef) {
    reads.push(String(ref.perceptionId));
    let after = 0;
    for (;;) {
      const page = [...rowsOf(ref).values()]
        .filter(({ imageId }) => imageId > after)
        .sort((a, b) => a.imageId - b.imageId)
        .slice(0, 40);
      await sleep(trial.pageDelayMs);
      if (page.length === 0) return;
      yield page;
      after = page.at(-1)?.imageId ?? after;
    }
  }
  const index = createMemoryFaceIndex({ loadFaces, maxBytes, onThreadLost: () => undefined });
  const trial: Trial = {
    index,
    reads,
    pageDelayMs: 0,
    commit: async (ref, faces) => {
      for (const face of faces) rowsOf(ref).set(face.imageId, face);
    },
    delete: async (ref, imageIds) => {
      for (const imageId of imageIds) rowsOf(ref).delete(imageId);
    },
    move: async (ref, imageIds, personId) => {
      for (const imageId of imageIds) {
        const face = rowsOf(ref).get(imageId);
        if (face) rowsOf(ref).set(imageId, { ...face, personId });
      }
    },
    close: () => index.close(),
  };
  return trial;
}

promiseFaceIndex('memory', async () => onTrial());

const faces = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    imageId: at + 1,
    personId: at + 1,
    vector: vectorOf(at + 1, dimensions),
  }));
const nearest = (trial: Trial, ref: GalleryRef, seed: number, people = 1) =>
  trial.index.nearestPeople(ref, vectorOf(seed, dimensions), { people });

test('what changes while a gallery is read is as it was changed', async () => {
  const trial = onTrial();
  const ref = refOf(1001);
  await trial.commit(ref, faces(200));
  trial.pageDelayMs = 10;
  const searching = nearest(trial, ref, 1, 1000);
  for (let imageId = 1; imageId <= 200; imageId += 3) {
    await trial.delete(ref, [imageId]);
    await trial.index.remove(ref, [imageId]);
    await trial.move(ref, [imageId + 1], 5000);
    await trial.index.assign(ref, [imageId + 1], 5000);
    if (imageId % 10 === 0) await sleep(3);
  }
  await searching;
  const found = await nearest(trial, ref, 1, 1000);
  const kept = faces(200).filter(({ imageId }) => imageId % 3 === 0);
  expect(new Set(found.map(({ personId }) => personId))).toEqual(
    new Set([...kept.map(({ personId }) => personId), 5000]),
  );
  await trial.close();
});

test('memory is bounded: the gallery searched longest ago leaves, and comes back when it is asked', async () => {
  const oneGallery = 256 * dimensions * 4;
  const trial = onTrial(2 * oneGallery);
  for (const perceptionId of [1, 2, 3, 4]) {
    await trial.commit(refOf(perceptionId), faces(100));
    await nearest(trial, refOf(perceptionId), 1);
    expect(trial.index.stats().bytes).toBeLessThanOrEqual(2 * oneGallery);
  }
  expect((await nearest(trial, refOf(1), 7))[0]).toMatchObject({ imageId: 7 });
  await nearest(trial, refOf(1), 8);
  expect(trial.reads).toEqual(['1', '2', '3', '4', '1']);
  expect(trial.index.stats()).toEqual({ galleries: 2, faces: 200, bytes: 2 * oneGallery });
  await trial.close();
});

test('one gallery larger than the bound is read once and not for every search', async () => {
  const trial = onTrial(1000);
  await trial.commit(refOf(1), faces(100));
  for (const seed of [1, 2, 3]) await nearest(trial, refOf(1), seed);
  expect(trial.reads).toEqual(['1']);
  await trial.close();
});

test('a database that cannot be read fails the search, and the next one tries again', async () => {
  let broken = true;
  async function* loadFaces() {
    if (broken) throw new Error('no database');
    yield faces(3);
  }
  const index = createMemoryFaceIndex({ loadFaces, maxBytes: 1e9, onThreadLost: () => undefined });
  const query = vectorOf(2, dimensions);
  await expect(index.nearestPeople(refOf(1), query, { people: 1 })).rejects.toThrow('no database');
  broken = false;
  expect((await index.nearestPeople(refOf(1), query, { people: 1 }))[0]).toMatchObject({ imageId: 2 });
  await index.close();
});
