import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { Dataset, DatasetImage } from './dataset.js';
import { createExportDataset } from './export-dataset.js';

const dataset: Dataset = {
  id: 1,
  uid: 'a',
  name: 'boats',
  task: 'classification',
  multiLabel: false,
  createdAt: 0,
};
const image: DatasetImage = {
  id: 1,
  datasetId: 1,
  fileName: 'boat.jpg',
  blobId: 'blob',
  kind: 'jpeg',
  bytes: 10,
  sha256: '',
  fingerprint: '',
  width: 1,
  height: 1,
  split: null,
  isLabelled: false,
  isPartlyLabelled: false,
  labels: [],
  labelsRevision: 1,
  createdAt: 0,
};

test('an image that cannot be read to its end breaks the zip off, and harms nothing else', async () => {
  const broken = new Error('EIO: i/o error, read');
  const exportDataset = createExportDataset({
    classes: { list: async () => [] },
    images: {
      async *walk() {
        yield [image];
      },
    },
    blobs: {
      read: async () => {
        const stream = Readable.from(
          (async function* () {
            yield Buffer.from('begin');
            throw broken;
          })(),
        );
        return { sizeBytes: 10, stream };
      },
    },
  });
  const uncaught: unknown[] = [];
  const note = (error: unknown) => uncaught.push(error);
  process.on('uncaughtException', note);
  try {
    const zip = await exportDataset(1, dataset, 'csv');
    await expect(buffer(zip)).rejects.toBe(broken);
  } finally {
    process.off('uncaughtException', note);
  }
  expect(uncaught).toEqual([]);
});
