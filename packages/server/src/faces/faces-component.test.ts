import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { createFacesComponent } from './faces-component.js';
import type { FaceIndex, GalleryRef } from './index/face-index.js';

const galleries = [1, 2, 3, 4].map((perceptionId) => ({ accountId: 1, perceptionId, embedder: 'test@1' }));

/** An index whose galleries take 40 bytes each. */
function countingIndex(prepare: (gallery: GalleryRef) => Promise<void> = async () => undefined) {
  const read: number[] = [];
  const index: FaceIndex = {
    nearestPeople: async () => [],
    async prepare(gallery) {
      await prepare(gallery);
      read.push(gallery.perceptionId);
    },
    drop: async () => undefined,
    stats: () => ({ galleries: read.length, faces: 0, bytes: 40 * read.length }),
    close: async () => undefined,
  };
  return { index, read };
}

const deletion = {
  finish: async () => 0,
  finishOne: () => Promise.reject(new Error('not asked')),
  removePerception: () => Promise.reject(new Error('not asked')),
  removePerson: () => Promise.reject(new Error('not asked')),
  removeImages: () => Promise.reject(new Error('not asked')),
};
const stored = { mostChanged: async () => galleries };
const onFailure = vi.fn();
const followRevision = async () => undefined;

test('the galleries changed most often are read ahead, as many as fit, while the service is ready already', async () => {
  let go: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    go = resolve;
  });
  const { index, read } = countingIndex(() => gate);
  const component = createFacesComponent({
    faces: { deletion, index },
    stored,
    maxBytes: 100,
    onFailure,
    followRevision,
  });
  await component.start();
  expect(component.isReady()).toBe(true);
  expect(read).toEqual([]);
  go();
  await expect.poll(() => read).toEqual([1, 2, 3]);
  await sleep(10);
  expect(read).toEqual([1, 2, 3]);
  await component.stop();
});

test('a gallery that cannot be read ahead is reported, and stops nothing', async () => {
  const { index } = countingIndex(() => Promise.reject(new Error('no database')));
  const component = createFacesComponent({
    faces: { deletion, index },
    stored,
    maxBytes: 100,
    onFailure,
    followRevision,
  });
  await component.start();
  await expect.poll(() => onFailure.mock.calls.length).toBe(1);
  await component.stop();
});

test('a stop ends the work that follows a new revision, and waits for it', async () => {
  const { index } = countingIndex();
  let hasEnded = false;
  const component = createFacesComponent({
    faces: { deletion, index },
    stored,
    maxBytes: 100,
    onFailure,
    followRevision: (signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          hasEnded = true;
          resolve();
        });
      }),
  });
  await component.start();
  expect(hasEnded).toBe(false);
  await component.stop();
  expect(hasEnded).toBe(true);
});
