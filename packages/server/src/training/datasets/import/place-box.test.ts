import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { readLabels } from '../fixtures/read-labels.js';
import { placeBox } from './place-box.js';

const box = { xMin: 100, yMin: 200, xMax: 300, yMax: 400 };
const label = (declared: { width: number; height: number }) => ({
  className: 'cat',
  box,
  unit: 'pixels' as const,
  declared,
});
const bndbox = '<bndbox><xmin>100</xmin><ymin>200</ymin><xmax>300</xmax><ymax>400</ymax></bndbox>';

describe('a declared size twice that of the image halves its boxes', () => {
  test.each([
    [
      'COCO',
      {
        'a.json': JSON.stringify({
          images: [{ id: 1, file_name: 'a.jpg', width: 1280, height: 960 }],
          categories: [{ id: 1, name: 'cat' }],
          annotations: [{ image_id: 1, category_id: 1, bbox: [100, 200, 200, 200] }],
        }),
      },
    ],
    [
      'Pascal VOC',
      {
        'a.xml': `<annotation><filename>a.jpg</filename><size><width>1280</width><height>960</height></size><object><name>cat</name>${bndbox}</object></annotation>`,
      },
    ],
    [
      'CSV',
      { 'a.csv': 'filename,width,height,class,xmin,ymin,xmax,ymax\na.jpg,1280,960,cat,100,200,300,400\n' },
    ],
  ])('%s', async (_format, files) => {
    const { labels, findings } = await readLabels({ 'a.jpg': '', ...files });
    expect(labels).toEqual({ 'a.jpg': [{ className: 'cat', box: [50, 100, 150, 200] }] });
    expect(findings).toEqual([expect.objectContaining({ problem: 'box-scaled', labels: 1 })]);
  });
});

test.each([
  ['the same', { width: 640, height: 480 }, [100, 200, 300, 400], false],
  ['rounded', { width: 1281, height: 960 }, [49.96, 100, 149.88, 200], true],
  ['a small preview', { width: 64, height: 48 }, [1000, 2000, 3000, 4000], true],
])('boxes follow a size that is %s', (_what, declared, corners, isScaled) => {
  const placed = placeBox(box, label(declared), { width: 640, height: 480, orientation: 1 });
  if (!('box' in placed)) throw new Error(placed.message);
  const { xMin, yMin, xMax, yMax } = placed.box;
  expect([xMin, yMin, xMax, yMax].map((corner) => Math.round(corner * 100) / 100)).toEqual(corners);
  expect(placed.isScaled).toBe(isScaled);
});

test.each([
  ['a square', { width: 640, height: 640 }, 1],
  ['turned, of an image that is not', { width: 480, height: 640 }, 1],
  ['a square, of an image that is turned', { width: 640, height: 640 }, 6],
])('a size that explains nothing takes no box: %s', (_what, declared, orientation) => {
  const placed = placeBox(box, label(declared), { width: 640, height: 480, orientation });
  expect(placed).toMatchObject({ problem: 'size-differs' });
});

test('a size that is not known, as zeros, changes nothing', async () => {
  const size = '<size><width>0</width><height>0</height></size>';
  const { labels, findings } = await readLabels({
    'a.jpg': '',
    'a.xml': `<annotation>${size}<object><name>cat</name>${bndbox}</object></annotation>`,
  });
  expect(labels).toEqual({ 'a.jpg': [{ className: 'cat', box: [100, 200, 300, 400] }] });
  expect(findings).toEqual([]);
});

test.each([2, 3, 4])(
  'with orientation %i a declared size cannot say which way the boxes are',
  (orientation) => {
    const image = { width: 640, height: 480, orientation };
    expect(placeBox(box, label({ width: 640, height: 480 }), image)).toMatchObject({ box, isUnclear: true });
  },
);

/** Where an image library puts a mark that is drawn on the pixels as they are stored. */
async function whereMarkIs(stored: { width: number; height: number }, orientation: number) {
  const mark = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#fff' } })
    .png()
    .toBuffer();
  const drawn = await sharp({ create: { ...stored, channels: 3, background: '#000' } })
    .composite([{ input: mark, left: 30, top: 50 }])
    .png()
    .toBuffer();
  const turned = await sharp(drawn).withMetadata({ orientation }).png().toBuffer();
  const { data, info } = await sharp(turned)
    .autoOrient()
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const bright = [...data.keys()].filter((at) => (data[at] ?? 0) > 128);
  const [xs, ys] = [bright.map((at) => at % info.width), bright.map((at) => Math.floor(at / info.width))];
  return {
    image: { width: info.width, height: info.height, orientation },
    box: {
      xMin: Math.min(...xs),
      yMin: Math.min(...ys),
      xMax: Math.max(...xs) + 1,
      yMax: Math.max(...ys) + 1,
    },
  };
}

test.each([5, 6, 7, 8])(
  'boxes of the stored pixels are turned with the image, orientation %i',
  async (orientation) => {
    const stored = { width: 160, height: 120 };
    const seen = await whereMarkIs(stored, orientation);
    const mark = { xMin: 30, yMin: 50, xMax: 70, yMax: 70 };
    const of = (declared: { width: number; height: number }, factor = 1) =>
      placeBox(
        { xMin: 30 * factor, yMin: 50 * factor, xMax: 70 * factor, yMax: 70 * factor },
        { ...label(declared), box: mark },
        seen.image,
      );
    expect(of(stored)).toMatchObject({ box: seen.box, isRotated: true, isScaled: false });
    expect(of({ width: 320, height: 240 }, 2)).toMatchObject({
      box: seen.box,
      isRotated: true,
      isScaled: true,
    });
    const upright = { width: seen.image.width, height: seen.image.height };
    expect(of(upright)).toMatchObject({ box: mark, isRotated: false });
  },
);
