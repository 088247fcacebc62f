import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toName } from '../../../accounts/names.js';
import type { Dataset, DatasetImage, ImageLabel } from '../dataset.js';
import { createExportDataset } from '../export-dataset.js';
import { toFileName } from '../file-name.js';
import { openTree } from '../import/open-tree.js';
import { toLabels } from '../import/to-labels.js';
import { toTree } from '../import/to-tree.js';
import type { FormatName } from './plan.js';
import { readTree } from './read-tree.js';

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lynceus-round-trips-'));
});
afterAll(() => rm(dir, { recursive: true }));

const name = fc
  .oneof(
    fc.string({ unit: 'grapheme', maxLength: 30 }),
    fc.constantFrom('a, "b"', 'x;y', '&amp;', '#1', '~', '0', '-', 'null'),
  )
  .filter((text) => toName(text) === text);
const fileName = fc
  .tuple(
    fc.string({ unit: 'grapheme', maxLength: 20 }),
    fc.constantFrom('.jpg', '.PNG', '.csv', '', '.tar.webp'),
  )
  .map(([stem, ending]) => toFileName(`${stem}${ending}`));
const share = fc.double({ min: 0, max: 1, noNaN: true });
const box = fc.tuple(share, share, share, share);

interface Written {
  readonly classes: readonly string[];
  readonly images: readonly DatasetImage[];
}

function written(task: Dataset['task'], isSingle: boolean): fc.Arbitrary<Written> {
  return fc
    .record({
      classes: fc.uniqueArray(name, { minLength: 1, maxLength: 4 }),
      images: fc.array(
        fc.record({
          fileName,
          split: fc.constantFrom('train' as const, 'held-out' as const, null),
          width: fc.integer({ min: 20, max: 9000 }),
          height: fc.integer({ min: 20, max: 9000 }),
          labels: fc.option(fc.array(fc.tuple(fc.nat(3), box), { maxLength: isSingle ? 1 : 5 })),
          isPartial: fc.boolean(),
        }),
        { minLength: 1, maxLength: 5 },
      ),
    })
    .map(({ classes, images }) => ({
      classes,
      images: images.map(({ labels, isPartial, ...image }, index) => {
        const own = (labels ?? []).map(
          ([at, corners]): ImageLabel => ({
            classId: at % classes.length,
            box: task === 'classification' ? null : toBox(corners, image),
          }),
        );
        const isDouble = (label: ImageLabel, at: number) =>
          task === 'classification' && own.findIndex(({ classId }) => classId === label.classId) < at;
        return {
          ...{ id: index + 1, datasetId: 1, blobId: `blob-${index}`, kind: 'jpeg' as const, bytes: 1 },
          ...{ sha256: '', fingerprint: '', labelsRevision: 0, createdAt: 0 },
          ...image,
          isLabelled: labels !== null,
          isPartlyLabelled: isPartial && own.length > 0,
          labels: own.filter((label, at) => !isDouble(label, at)),
        };
      }),
    }));
}

function toBox(
  [x, y, right, bottom]: readonly [number, number, number, number],
  size: { width: number; height: number },
) {
  const round = (value: number) => Math.floor(value * 100) / 100;
  const [xMin, yMin] = [round(x * (size.width - 3)), round(y * (size.height - 3))];
  return {
    xMin,
    yMin,
    xMax: round(xMin + 3 + right * (size.width - xMin - 3)),
    yMax: round(yMin + 3 + bottom * (size.height - yMin - 3)),
  };
}

async function exportZip(
  dataset: Dataset,
  { classes, images }: Written,
  format: FormatName,
): Promise<Buffer> {
  const exportDataset = createExportDataset({
    classes: { list: async () => classes.map((each, id) => ({ id, name: each })) },
    images: {
      async *walk() {
        yield images;
      },
      async *readSome(_accountId, _datasetId, ids) {
        yield images.filter(({ id }) => ids.includes(id));
      },
    },
    blobs: { read: async (id) => ({ sizeBytes: id.length, stream: Readable.from([Buffer.from(id)]) }) },
  });
  return buffer(await exportDataset(1, dataset, format));
}

async function importZip(dataset: Dataset, zip: Buffer, { images }: Written, format: FormatName) {
  const path = join(dir, 'a.zip');
  await writeFile(path, zip);
  const tree = await openTree({ kind: 'zip', path });
  try {
    const guesses: string[] = [];
    const plan = await readTree(
      toTree(tree, (file) => guesses.push(file)),
      format,
    );
    const classes = new Map(plan.classes.map((each, id) => [each, { id, name: each }]));
    const findings = [...plan.findings];
    const found = new Map<string, object>();
    for (const planned of plan.images) {
      const blobId = (await buffer(Readable.from(tree.read(planned.path)))).toString();
      const image = images.find((each) => each.blobId === blobId);
      if (!image) throw new Error(`${planned.path} is no image that was exported`);
      const usable = toLabels(planned, { ...image, orientation: 1 }, dataset, classes);
      findings.push(...usable.findings.map((each) => ({ ...each, file: planned.path })));
      const { isPartial } = usable;
      found.set(blobId, { split: planned.split, isPartial, labels: rounded(usable.labels, plan.classes) });
    }
    const known = ['no-labels', 'partly-labelled'];
    return { found, problems: findings.filter(({ problem }) => !known.includes(problem)), guesses };
  } finally {
    tree.close();
  }
}

/** To a thousandth of a pixel, in the order of the classes and places: formats may have another one. */
function rounded(labels: readonly ImageLabel[] | null, classes: readonly string[]) {
  const round = (value: number) => Math.round(value * 1000) / 1000;
  return labels
    ?.map(({ classId, box: own }) => [
      classes[classId],
      own && [own.xMin, own.yMin, own.xMax, own.yMax].map(round),
    ])
    .map((label) => JSON.stringify(label))
    .sort();
}

const formats: readonly (readonly [FormatName, Dataset['task'], boolean])[] = [
  ['folders', 'classification', true],
  ['csv', 'classification', false],
  ['coco', 'classification', false],
  ['csv', 'object_detection', false],
  ['coco', 'object_detection', false],
  ['voc', 'object_detection', false],
  ['yolo', 'object_detection', false],
];

test.each(formats)('what is exported as %s for %s comes back the same', async (format, task, isSingle) => {
  const dataset: Dataset = { id: 1, uid: 'a', name: 'a', task, multiLabel: !isSingle, createdAt: 0 };
  await fc.assert(
    fc.asyncProperty(written(task, isSingle), async (given) => {
      const zip = await exportZip(dataset, given, format);
      const { found, problems, guesses } = await importZip(dataset, zip, given, format);
      // Names of files are in one form of Unicode.
      const classes = given.classes.map((each) => (format === 'folders' ? each.normalize('NFC') : each));
      const expected = given.images.map(
        ({ blobId, split, isLabelled, isPartlyLabelled: isPartial, labels }) => [
          blobId,
          { split, isPartial, labels: isLabelled ? rounded(labels, classes) : undefined },
        ],
      );
      expect([Object.fromEntries(found), problems, guesses]).toEqual([Object.fromEntries(expected), [], []]);
    }),
    { numRuns: 60 },
  );
});
