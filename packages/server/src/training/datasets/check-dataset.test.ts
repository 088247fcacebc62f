import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { mostCpuBetweenTurns } from '../../core/fixtures/cpu-between-turns.js';
import { createCheckDataset } from './check-dataset.js';
import type { Dataset, DatasetImage, Split } from './dataset.js';

const dataset: Dataset = {
  id: 1,
  uid: 'd',
  name: 'animals',
  task: 'classification',
  multiLabel: false,
  createdAt: 0,
};

function imageOf(id: number, fingerprint: string, split: Split | null = null): DatasetImage {
  return {
    id,
    datasetId: 1,
    fileName: `${id}.jpg`,
    blobId: String(id),
    kind: 'jpeg',
    bytes: 1,
    sha256: String(id),
    fingerprint,
    width: 100,
    height: 100,
    split,
    isLabelled: true,
    isPartlyLabelled: false,
    labels: [],
    labelsRevision: 0,
    createdAt: 0,
  };
}

function checkOf(batches: () => Iterable<readonly DatasetImage[]>) {
  return createCheckDataset({
    classes: { list: async () => [] },
    images: {
      async *walk() {
        yield* batches();
      },
    },
  });
}

test('an image is reported with the first one that it resembles, or the first across the split', async () => {
  const [one, near, other] = ['f'.repeat(32), `0${'f'.repeat(31)}`, '5'.repeat(32)];
  const check = checkOf(() => [
    [imageOf(1, other), imageOf(2, one, 'train'), imageOf(3, one), imageOf(4, near, 'held-out')],
    [imageOf(5, one, 'train'), imageOf(6, other, 'train'), imageOf(7, near, 'train')],
  ]);
  const { findings } = await check(1, dataset);
  expect(
    findings.map(({ problem, imageId, message }) => [imageId, problem, /image (\d)/.exec(message)?.[1]]),
  ).toEqual([
    [3, 'near-duplicate', '2'],
    [4, 'leakage', '2'],
    [5, 'leakage', '4'],
    [6, 'near-duplicate', '1'],
    [7, 'leakage', '4'],
  ]);
});

const fingerprintOf = (id: number) => createHash('md5').update(String(id)).digest('hex');
const many = (count: number, of: (id: number) => string) =>
  Array.from({ length: count / 50 }, (_, batch) =>
    Array.from({ length: 50 }, (_image, index) =>
      imageOf(batch * 50 + index, of(batch * 50 + index), 'train'),
    ),
  );

test.each([
  ['different', fingerprintOf],
  ['equal', () => 'f'.repeat(32)],
  ['near', (id: number) => ((1 << (id % 6)) | (1 << (6 + (id % 5)))).toString(16).padStart(32, 'f')],
])('20,000 %s images let other work run in between', async (_name, of) => {
  const batches = many(20_000, of);
  const { most, all } = await mostCpuBetweenTurns(() => checkOf(() => batches)(1, dataset));
  expect(most).toBeLessThan(Math.max(40, all / 4));
  expect(all).toBeLessThan(10_000);
});

test('images that are alike and not near are compared by another thread', async () => {
  const halfOf = (id: number) => `${'f'.repeat(16)}${fingerprintOf(id).slice(16)}`;
  const batches = many(8000, halfOf);
  const before = performance.eventLoopUtilization();
  await checkOf(() => batches)(1, dataset);
  expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5);
});

test('it ends when its signal fires, also amid the comparison', async () => {
  const batches = many(20_000, (id) => `${'f'.repeat(16)}${fingerprintOf(id).slice(16)}`);
  const cancel = new AbortController();
  const checking = checkOf(function* () {
    yield* batches;
    setTimeout(() => cancel.abort(new Error('the client left')), 100);
  })(1, dataset, cancel.signal);
  await expect(checking).rejects.toThrow('the client left');
});

test('it ends when its signal fires', async () => {
  const batch = [imageOf(1, 'f'.repeat(32))];
  function* endless() {
    for (;;) yield batch;
  }
  const cancel = new AbortController();
  const checking = checkOf(endless)(1, dataset, cancel.signal);
  setTimeout(() => cancel.abort(new Error('the client left')), 20);
  await expect(checking).rejects.toThrow('the client left');
});
