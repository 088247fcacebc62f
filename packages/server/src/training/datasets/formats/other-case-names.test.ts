import { expect, test } from 'vitest';
import { readLabels } from '../fixtures/read-labels.js';

const cat = (...box: readonly number[]) => ({ className: 'cat', box });
interface Coco {
  readonly images?: readonly object[];
  readonly categories?: readonly object[];
  readonly annotations?: readonly object[];
}
const coco = ({
  images = [{ id: 1, file_name: 'a.jpg' }],
  categories = [{ id: 1, name: 'cat' }],
  annotations = [],
}: Coco) => JSON.stringify({ images, categories, annotations });
const annotation = (bbox: readonly number[] | null, more: object = {}) => ({
  image_id: 1,
  category_id: 1,
  bbox,
  ...more,
});
const box = '<xmin>10</xmin><ymin>20</ymin><xmax>60</xmax><ymax>80</ymax>';
const files = (name: string) => ({
  coco: {
    'x.json': coco({ images: [{ id: 1, file_name: name }], annotations: [annotation([10, 20, 50, 60])] }),
  },
  csv: { 'x.csv': `file,class,x1,y1,x2,y2\n${name},cat,10,20,60,80\n` },
  voc: {
    'x.xml': `<annotation><filename>${name}</filename><object><name>cat</name><bndbox>${box}</bndbox></object></annotation>`,
  },
});
const formats = ['coco', 'csv', 'voc'] as const;

test.each(formats)(
  'names in other capital letters are found where one image alone has them, with a finding: %s',
  async (format) => {
    const { labels, findings } = await readLabels({ 'set/img_1.jpg': '', ...files('IMG_1.JPG')[format] });
    expect(labels['set/img_1.jpg']).toEqual([cat(10, 20, 60, 80)]);
    expect(findings).toEqual([
      expect.objectContaining({ problem: 'unclear', message: expect.stringContaining('IMG_1.JPG') }),
    ]);
  },
);

test.each(formats)('names in other capital letters are of none where two have them: %s', async (format) => {
  const { labels } = await readLabels({
    'img_1.jpg': '',
    'Img_1.jpg': '',
    ...files('IMG_1.JPG')[format],
  });
  expect(labels).toEqual({ 'img_1.jpg': null, 'Img_1.jpg': null });
});

test.each(formats)(
  'names in other capital letters are of none where a file names the image exactly too: %s',
  async (format) => {
    const [exact, other] = [files('img_1.jpg')[format], files('IMG_1.JPG')[format]];
    const named = Object.entries(other).map(([path, text]) => [`other-${path}`, text] as const);
    const { labels, findings } = await readLabels({
      'img_1.jpg': '',
      ...exact,
      ...Object.fromEntries(named),
    });
    expect(labels).toEqual({ 'img_1.jpg': [cat(10, 20, 60, 80)] });
    expect(findings).toEqual([expect.objectContaining({ problem: 'no-image', labels: 1 })]);
  },
);

test('names in other capital letters are of none where files spell them in two ways', async () => {
  const { labels, findings } = await readLabels({
    'img_1.jpg': '',
    'x.json': coco({
      images: ['IMG_1.jpg', 'Img_1.JPG'].map((file_name, id) => ({ id, file_name })),
      annotations: [annotation([10, 20, 50, 60])],
    }),
  });
  expect(labels).toEqual({ 'img_1.jpg': null });
  expect(findings.filter(({ problem }) => problem === 'no-image').map((each) => each.labels)).toEqual([0, 1]);
});

test('names in other capital letters are not looked for where an image has the name', async () => {
  const { labels, findings } = await readLabels({ 'img.jpg': '', 'IMG.JPG': '', ...files('IMG.JPG').coco });
  expect([labels['IMG.JPG']?.length, labels['img.jpg']]).toEqual([1, null]);
  expect(findings.map(({ problem }) => problem)).not.toContain('unclear');
});
