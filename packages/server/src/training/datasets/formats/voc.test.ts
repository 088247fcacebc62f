import { expect, test } from 'vitest';
import { readLabels } from '../fixtures/read-labels.js';

const cat = (...box: readonly number[]) => ({ className: 'cat', box });
const voc = (object: string, fileName = 'a.jpg') =>
  `<annotation><filename>${fileName}</filename><object><name>cat</name>${object}</object></annotation>`;

test.each([
  ['left and right', [60, 20, 10, 80]],
  ['top and bottom', [10, 80, 60, 20]],
  ['both', [60, 80, 10, 20]],
])('corners in another order are taken in theirs, and counted as changed: %s', async (_what, corners) => {
  const sides = ['xmin', 'ymin', 'xmax', 'ymax'].map((side, at) => `<${side}>${corners[at]}</${side}>`);
  const { labels, findings } = await readLabels({
    'a.jpg': '',
    'a.xml': voc(`<bndbox>${sides.join('')}</bndbox>`),
  });
  expect(labels['a.jpg']).toEqual([cat(10, 20, 60, 80)]);
  expect(findings).toEqual([expect.objectContaining({ problem: 'box-swapped', labels: 1 })]);
});

test.each([
  [0, [100, 90, 300, 210]],
  [Math.PI / 2, [140, 50, 260, 250]],
  [Math.PI, [100, 90, 300, 210]],
])('a rotated box of roLabelImg is the upright one around it: %d', async (angle, corners) => {
  const rotated = { cx: 200, cy: 150, w: 200, h: 120, angle };
  const fields = Object.entries(rotated).map(([name, value]) => `<${name}>${value}</${name}>`);
  const { labels, findings } = await readLabels({
    'a.jpg': '',
    'a.xml': voc(`<type>robndbox</type><robndbox>${fields.join('')}</robndbox>`),
  });
  expect(labels['a.jpg']?.map(({ box }) => box?.map(Math.round))).toEqual([corners]);
  expect(findings).toEqual([expect.objectContaining({ problem: 'outline-to-box', labels: 1 })]);
});

test('a name of Pascal VOC may have characters by their numbers', async () => {
  const { labels } = await readLabels({
    'a.jpg': '',
    'a.xml':
      '<annotation><object><name>M&#252;ll &#x26; &amp;#1;</name><bndbox><xmin>1</xmin><ymin>1</ymin><xmax>9</xmax><ymax>9</ymax></bndbox></object></annotation>',
  });
  expect(labels['a.jpg']?.[0]?.className).toBe('Müll & &#1;');
});
