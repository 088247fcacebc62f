import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { openZip } from '@lynceus/engine';
import { expect, test } from 'vitest';
import type { Dataset, DatasetImage } from './dataset.js';
import { createExportDataset } from './export-dataset.js';
import type { FormatName } from './formats/plan.js';

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
      async *readSome() {},
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

test('an image that loses its labels while it is exported is not said to show nothing', async () => {
  const labels = [{ classId: 1, box: null }];
  const labelled = [1, 2].map((id) => ({ ...image, id, fileName: `${id}.jpg`, isLabelled: true, labels }));
  const exportDataset = createExportDataset({
    classes: { list: async () => [{ id: 1, name: 'boat' }] },
    images: {
      async *walk() {
        yield labelled;
      },
      async *readSome() {
        yield labelled.map((each) => (each.id === 1 ? { ...each, isLabelled: false, labels: [] } : each));
      },
    },
    blobs: { read: async () => ({ sizeBytes: 1, stream: Readable.from([Buffer.from('a')]) }) },
  });
  const textOf = async (format: FormatName, path: string) => {
    const zip = await openZip(await buffer(await exportDataset(1, dataset, format)), { maxEntries: 10 });
    for await (const file of zip.files()) if (file.path === path) return text(file.read());
    throw new Error(`${path} is missing`);
  };
  expect(JSON.parse(await textOf('coco', 'annotations/instances_unassigned.json'))).toMatchObject({
    images: [{ id: 1, file_name: '2.jpg' }],
    annotations: [{ id: 1, image_id: 1, category_id: 1 }],
  });
  expect(await textOf('csv', 'labels.csv')).toBe(
    'file,split,class,x_min,y_min,x_max,y_max\nimages/2.jpg,,boat,,,,\n',
  );
});
