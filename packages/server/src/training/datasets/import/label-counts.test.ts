import fc from 'fast-check';
import { expect, test } from 'vitest';
import { effectOf } from '../findings.js';
import { readLabels } from '../fixtures/read-labels.js';
import type { ReadableFormat } from '../formats/plan.js';

/** Files with labels, of which some cannot be used, and how many labels they have. */
interface Generated {
  readonly files: Readonly<Record<string, string>>;
  readonly labels: number;
}

const stems = ['a', 'b', 'gone'] as const;
const stem = fc.constantFrom(...stems);
const images = { 'a.jpg': '', 'b.jpg': '' };
const number = fc.oneof(
  fc.double({ min: 0, max: 1, noNaN: true }).map(String),
  fc.integer({ min: -20, max: 900 }).map(String),
  fc.constantFrom('0', 'nan', '', '1e999', '0,5', '-3', '1e-9'),
);
const className = fc.constantFrom('cat', 'dog', '', ' ', 'x'.repeat(300), '7');
const size = fc.constantFrom(null, [640, 480], [1280, 960], [480, 640], [640, 640], [0, 0], ['x', null]);

const yoloLine = fc.oneof(
  fc
    .tuple(fc.constantFrom('0', '1', '5', '-1', 'x', '0.5'), fc.array(number, { maxLength: 12 }))
    .map(([index, values]) => [index, ...values].join(' ')),
  fc.constantFrom(
    '0 .5 .5 .2 .2',
    '1 .5 .5 .2 .2 .9',
    '0 .1 .1 .5 .1 .5 .5',
    '0 .5 .5 .2 .2 .5 .5 2',
    'words',
  ),
);
const yolo = fc
  .tuple(
    fc.uniqueArray(fc.tuple(stem, fc.array(yoloLine, { maxLength: 5 })), {
      selector: ([name]) => name,
      maxLength: 3,
    }),
    fc.constantFrom('names: [cat, dog]', 'names: {1: cat}', 'names: [cat]\nkpt_shape: [1, 3]', ''),
  )
  .map(([lists, names]): Generated => {
    const files = lists.map(([name, lines]) => [`labels/${name}.txt`, lines.join('\n')] as const);
    const labels = lists.flatMap(([, lines]) => lines.filter((line) => line.trim() !== '')).length;
    return {
      files: { 'images/a.jpg': '', 'images/b.jpg': '', 'data.yaml': names, ...Object.fromEntries(files) },
      labels,
    };
  });

const id = fc.constantFrom<unknown>(1, 2, 3, '1', 9, null);
const annotation = fc.record(
  {
    image_id: id,
    category_id: id,
    bbox: fc.oneof(
      fc.array(number, { maxLength: 5 }),
      fc.constantFrom(null, [10, 10, 50, 50], [600, 400, 90, 90], [9, 9, 0, 0], 'x'),
    ),
    segmentation: fc.constantFrom<unknown>(
      [],
      [[1, 1, 30, 1, 30, 30]],
      { size: [9, 9], counts: [10, 20, 51] },
      { size: [], counts: 'x' },
      7,
    ),
    iscrowd: fc.constantFrom(0, 1),
  },
  { requiredKeys: [] },
);
const cocoFile = fc.record({
  images: fc.array(
    fc.tuple(id, stem, size).map(([own, name, declared]) => ({
      id: own,
      file_name: `${name}.jpg`,
      width: declared?.[0],
      height: declared?.[1],
    })),
    { maxLength: 4 },
  ),
  categories: fc.array(
    fc.tuple(id, className).map(([own, name]) => ({ id: own, name })),
    { maxLength: 3 },
  ),
  annotations: fc.array(fc.oneof(annotation, fc.constantFrom<unknown>(null, 7)), { maxLength: 6 }),
});
const coco = fc.array(cocoFile, { minLength: 1, maxLength: 2 }).map(
  (given): Generated => ({
    files: {
      ...images,
      ...Object.fromEntries(given.map((file, at) => [`${at}.json`, JSON.stringify(file)])),
    },
    labels: given.flatMap(({ annotations }) => annotations).length,
  }),
);

const xmlObject = fc
  .tuple(className, fc.option(fc.tuple(number, number, number, number)))
  .map(([name, corners]) => {
    const sides = ['xmin', 'ymin', 'xmax', 'ymax'].map((side, at) => `<${side}>${corners?.[at]}</${side}>`);
    return `<object><name>${name}</name>${corners ? `<bndbox>${sides.join('')}</bndbox>` : ''}</object>`;
  });
const voc = fc
  .array(fc.tuple(stem, size, fc.array(xmlObject, { maxLength: 4 })), { minLength: 1, maxLength: 3 })
  .map((given): Generated => {
    const files = given.map(([name, declared, objects], at) => [
      `${at}.xml`,
      `<annotation><filename>${name}.jpg</filename><size><width>${declared?.[0]}</width><height>${declared?.[1]}</height></size>${objects.join('')}</annotation>`,
    ]);
    return {
      files: { ...images, ...Object.fromEntries(files) },
      labels: given.flatMap(([, , objects]) => objects).length,
    };
  });

const csvRow = fc
  .tuple(stem, className, fc.array(number, { minLength: 4, maxLength: 4 }), size)
  .map(([name, label, corners, declared]) => ({
    text: [`${name}.jpg`, label, ...corners, declared?.[0] ?? '', declared?.[1] ?? '']
      .map((cell) => `"${cell}"`)
      .join(','),
    isLabel: label.trim() !== '' || corners.some((corner) => corner !== ''),
  }));
const csv = fc.array(csvRow, { maxLength: 6 }).map(
  (rows): Generated => ({
    files: {
      ...images,
      'a.csv': ['file,class,x1,y1,x2,y2,width,height', ...rows.map(({ text }) => text)].join('\n'),
    },
    labels: rows.filter(({ isLabel }) => isLabel).length,
  }),
);

const generated: Readonly<Partial<Record<ReadableFormat, fc.Arbitrary<Generated>>>> = {
  yolo,
  coco,
  voc,
  csv,
};

const task = fc.constantFrom('object_detection', 'classification');

test.each(Object.entries(generated))(
  'a label is either taken, or counted in exactly one finding; none is lost from an image that shows nothing: %s',
  async (format, arbitrary) => {
    await fc.assert(
      fc.asyncProperty(arbitrary, task, async ({ files, labels: written }, given) => {
        const { plan, labels, findings } = await readLabels(files, {
          task: given,
          format: format as ReadableFormat,
        });
        const taken = Object.values(labels).flatMap((each) => each ?? []).length;
        const counted = findings
          .filter(({ problem }) => effectOf(problem) !== 'changed')
          .reduce((sum, each) => sum + each.labels, 0);
        expect(taken + counted).toBe(written);
        for (const { path, labels: planned, lost } of plan.images) {
          if (labels[path]?.length === 0) expect([planned, lost]).toEqual([[], 0]);
        }
      }),
      { numRuns: 400 },
    );
  },
);
