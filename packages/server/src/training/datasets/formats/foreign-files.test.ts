import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readLabels } from '../fixtures/read-labels.js';
import { treeOfTexts } from '../fixtures/text-tree.js';
import { FormatError, type ReadableFormat, type Tree } from './plan.js';
import { readTree } from './read-tree.js';

const object = (name: string) =>
  `<object><name>${name}</name><bndbox><xmin>1</xmin><ymin>2</ymin><xmax>30</xmax><ymax>40</ymax></bndbox></object>`;
const coco = (name: string, annotations: readonly object[], images = ['a.jpg', 'b.jpg']) =>
  JSON.stringify({
    images: images.map((file_name, id) => ({ id, file_name })),
    categories: [{ id: 1, name }],
    annotations: annotations.map((each) => ({ category_id: 1, bbox: [1, 2, 29, 38], ...each })),
  });

const deep = '['.repeat(100_000) + ']'.repeat(100_000);

/** Each says that a.jpg shows a cat, b.jpg nothing, and nothing of c.jpg. */
const good: Readonly<Partial<Record<ReadableFormat, Readonly<Record<string, string>>>>> = {
  coco: { 'instances.json': coco('cat', [{ image_id: 0 }]) },
  voc: {
    'x/a.xml': `<annotation><filename>a.jpg</filename>${object('cat')}</annotation>`,
    'x/b.xml': '<annotation><filename>b.jpg</filename></annotation>',
  },
  yolo: { 'data.yaml': 'names: [cat]', 'a.txt': '0 .5 .5 .2 .2', 'b.txt': '' },
  csv: { 'labels.csv': 'file,class,x1,y1,x2,y2\na.jpg,cat,1,2,30,40\nb.jpg,,,,,\n' },
  kitti: { 'a.txt': 'cat 0 0 -1 1 2 30 40 1 1 1 0 0 0 0', 'b.txt': '' },
  createml: {
    'x.json': JSON.stringify([
      {
        image: 'a.jpg',
        annotations: [{ label: 'cat', coordinates: { x: 15, y: 21, width: 28, height: 38 } }],
      },
      { image: 'b.jpg', annotations: [] },
    ]),
  },
  cvat: {
    'x.xml':
      '<annotations><image name="a.jpg"><box label="cat" xtl="1" ytl="2" xbr="30" ybr="40"/></image><image name="b.jpg"/></annotations>',
  },
  via: {
    'x.json': JSON.stringify({
      _via_settings: {},
      _via_img_metadata: {
        a: {
          filename: 'a.jpg',
          regions: [
            {
              shape_attributes: { name: 'rect', x: 1, y: 2, width: 29, height: 38 },
              region_attributes: { kind: 'cat' },
            },
          ],
        },
        b: { filename: 'b.jpg', regions: [] },
      },
    }),
  },
};
const images = { 'a.jpg': '', 'b.jpg': '', 'c.jpg': '' };

const foreign = {
  'meta.json': '{"a": 1}\n{"a": 2}\n',
  'settings.json': '// comment\n{"a": 1}',
  'empty.json': '',
  'cut.json': '{"info": {"a": [',
  'list.json': '[1, 2]',
  'package.json': '{"name": "x"}',
  'action.yml': 'names: {x: 1}',
  'labels.yml': 'names: [bug, question]',
  'broken.yaml': 'a: [',
  'empty.yaml': '',
  'results.csv': 'epoch,loss\n1,2\n',
  'empty.csv': '',
  'broken.csv': 'a,"b\nc',
  'pom.xml': '<project><name>x</name></project>',
  'broken.xml': '<a>',
  'empty.xml': '',
  'notes.txt': 'see a.jpg',
  'README.txt': '0 .5 .5 .2 .2',
} as const;

test.each(Object.keys(good) as ReadableFormat[])(
  'files of others beside the annotations change no label and end no import: %s',
  async (format) => {
    const { labels: alone } = await readLabels({ ...images, ...good[format] });
    expect(alone).toMatchObject({ 'a.jpg': [{ className: 'cat' }], 'b.jpg': [], 'c.jpg': null });
    const names = Object.keys(foreign) as (keyof typeof foreign)[];
    const tried = [...names.map((name) => [name]), names];
    const some = fc.subarray(names, { minLength: 2 });
    const reads = async (chosen: readonly (keyof typeof foreign)[], folder: string) => {
      const files = Object.fromEntries(chosen.map((name) => [`${folder}${name}`, foreign[name]]));
      for (const given of [null, format]) {
        const { labels } = await readLabels({ ...images, ...files, ...good[format] }, { format: given });
        expect([chosen, labels]).toEqual([chosen, alone]);
      }
    };
    for (const chosen of tried) await reads(chosen, '');
    await fc.assert(fc.asyncProperty(some, fc.constantFrom('', '.github/', 'z/'), reads), { numRuns: 50 });
  },
);

/** A tree of which some files are damaged. */
function damaged(files: Readonly<Record<string, string>>, isDamaged: (path: string) => boolean): Tree {
  const tree = treeOfTexts(files);
  const check = (path: string) => {
    if (isDamaged(path)) throw new FormatError(`${path} is damaged`);
  };
  return {
    paths: tree.paths,
    async readText(path) {
      check(path);
      return tree.readText(path);
    },
    async *streamText(path) {
      yield* tree.streamText(path);
      check(path);
    },
  };
}

test.each([
  ['coco', { 'x.json': coco('dog', [{ image_id: 0 }]) }],
  ['voc', { 'x/c.xml': `<annotation>${object('dog')}</annotation>`, 'ImageSets/Main/val.txt': 'a' }],
  ['yolo', { 'c.txt': '0 .5 .5 .2 .2', 'train.txt': 'a.jpg' }],
  ['csv', { 'x.csv': 'file,class\nc.jpg,dog\n' }],
] as const)(
  'a damaged file ends no import, and its image shows nothing known: %s',
  async (format, others) => {
    const tree = damaged({ ...images, ...good[format], ...others }, (path) => path in others);
    const plan = await readTree(tree, format);
    const labels = Object.fromEntries(plan.images.map((image) => [image.path, image.labels?.length]));
    // A damaged file of COCO or CSV may have labels of any image.
    expect(labels).toEqual({ 'a.jpg': 1, 'b.jpg': format === 'coco' ? undefined : 0, 'c.jpg': undefined });
    const files = plan.findings.map(({ file }) => file);
    expect(files).toEqual(expect.arrayContaining(Object.keys(others)));
  },
);

test.each([
  [
    'JSON',
    { 'x.json': '{"images": [' },
    'x.json is not JSON: it ends too early. Correct it, or leave it out',
  ],
  [
    'XML of CVAT that is cut',
    { 'annotations.xml': '<annotations><image name="a.jpg"><box label="cat" xtl="1"' },
    'annotations.xml is not XML',
  ],
  [
    'VIA with deep brackets',
    {
      'x.json': `{"a": {"filename": "a.jpg", "regions": [{"region_attributes": {"x": "cat"}, "shape_attributes": {"name": ${deep}}}]}}`,
    },
    'x.json is nested more than 100 deep, the limit',
  ],
  [
    'COCO with deep brackets',
    { 'x.json': `{"images": [{"x": ${deep}}], "annotations": []}` },
    'x.json is nested more than 100 deep, the limit',
  ],
  ['YAML', { 'data.yaml': 'names: [', 'a.txt': '0 .5 .5 .2 .2' }, 'data.yaml is not YAML'],
  [
    'YAML in braces',
    { 'data.yaml': '{a: '.repeat(50_000), 'a.txt': '0 .5 .5 .2 .2' },
    'data.yaml is nested more than 100 deep, the limit',
  ],
  ['names', { 'data.yaml': 'names: {x: 1}', 'other.yaml': 'names: [cat]' }, 'data.yaml numbers its names'],
  ['CSV', { 'x.csv': 'epoch,loss\n1,2\n' }, 'x.csv names none of the images'],
  [
    'CSV of Label Studio, boxes',
    { 'x.csv': 'image,label\na.jpg,"[{""x"": 1, ""rectanglelabels"": [""cat""]}]"\n' },
    'x.csv has JSON in its column label',
  ],
  [
    'CSV of Label Studio, choices',
    { 'x.csv': 'image,Label\nb.jpg,dog\na.jpg,"{""choices"": [""cat"", ""dog""]}"\n' },
    'x.csv has JSON in its column Label',
  ],
])('when no file can be read, nothing is imported: %s', async (_what, files, message) => {
  const reading = readTree(treeOfTexts({ ...images, ...files }), null);
  await expect(reading).rejects.toThrow(message);
});

test.each([
  ['an image that is not listed', { 'x.json': coco('cat', [{ image_id: 0 }, { image_id: 'b' }]) }],
  ['nothing', { 'x.json': coco('cat', [{ image_id: 0 }, {}]) }],
  [
    'an image that is not listed, beside a file of another class',
    { 'x.json': coco('cat', [{ image_id: 0 }]), 'y.json': coco('dog', [{ image_id: 9 }]) },
  ],
  [
    'any image, in a file that is cut',
    { 'x.json': coco('cat', [{ image_id: 0 }]), 'y.json': coco('dog', [{ image_id: 0 }]).slice(0, -4) },
  ],
  [
    'any image, in a file that is cut before its images',
    { 'x.json': coco('cat', [{ image_id: 0 }]), 'y.json': '{"annotations": [{"image_id": 1}, {"ima' },
  ],
])('COCO with annotations of %s makes no image a negative', async (_what, files) => {
  const { labels } = await readLabels({ 'a.jpg': '', 'b.jpg': '', ...files });
  expect(labels).toEqual({ 'a.jpg': [expect.objectContaining({ className: 'cat' })], 'b.jpg': null });
});

test('XML that cannot be read does not make a tree one of Pascal VOC', async () => {
  const files = { ...images, 'cut.xml': '<annotations><image', 'pom.xml': '<project/>' };
  await expect(readTree(treeOfTexts(files), null)).rejects.toThrow('cut.xml');
});

test.each([
  [
    'Label Studio',
    [{ data: { image: '/data/upload/1/a.jpg' }, annotations: [{ result: [{ from_name: 'x' }] }] }],
  ],
  ['LabelMe', { shapes: [{ label: 'cat' }], imagePath: 'a.jpg' }],
  ['VoTT', { name: 'x', assets: {} }],
  ['Supervisely', { objects: [{ classTitle: 'cat' }] }],
  ['Datumaro', { info: {}, items: [] }],
])('JSON of %s alone is refused with what to do', async (program, content) => {
  const tree = treeOfTexts({ 'a.jpg': '', 'x.json': JSON.stringify(content) });
  await expect(readTree(tree, null)).rejects.toThrow(`x.json seems to be of ${program}: `);
});
