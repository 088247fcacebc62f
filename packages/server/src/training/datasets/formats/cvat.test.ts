import { expect, test } from 'vitest';
import { readLabels } from '../fixtures/read-labels.js';

const cvat = (shapes: string) =>
  `<?xml version="1.0"?><annotations><version>1.1</version><meta><task><name>x</name></task></meta><image id="0" name="x/a.jpg" subset="Validation" width="640" height="480">${shapes}</image></annotations>`;

test.each([
  ['box', 'xtl="10" ytl="20" xbr="60" ybr="80" occluded="0"', [10, 20, 60, 80], []],
  ['box', 'xtl="60" ytl="20" xbr="10" ybr="80"', [10, 20, 60, 80], ['box-swapped']],
  ['box', 'xtl="100" ytl="100" xbr="140" ybr="120" rotation="90"', [110, 90, 130, 130], ['outline-to-box']],
  ['polygon', 'points="10,20;60,20;30,80"', [10, 20, 60, 80], ['outline-to-box']],
  ['ellipse', 'cx="35" cy="50" rx="25" ry="30"', [10, 20, 60, 80], ['outline-to-box']],
  ['mask', 'rle="1,2" left="10" top="20" width="50" height="60"', [10, 20, 60, 80], ['outline-to-box']],
])('a %s with %s is read as its box', async (shape, places, corners, problems) => {
  const text = cvat(
    `<${shape} label="cat" source="manual" ${places} z_order="0"><attribute name="a">b</attribute></${shape}>`,
  );
  const { labels, plan, findings } = await readLabels({ 'a.jpg': '', 'annotations.xml': text });
  expect(labels['a.jpg']?.map(({ box }) => box?.map(Math.round))).toEqual([corners]);
  expect(findings.map(({ problem }) => problem)).toEqual(problems);
  expect([plan.format, plan.images[0]?.split]).toEqual(['cvat', 'held-out']);
});

test('tags are classes of the image, and names may be escaped', async () => {
  const files = { 'a.jpg': '', 'x.xml': cvat('<tag label="cat &amp; dog" source="manual"></tag>') };
  const { labels } = await readLabels(files, { task: 'classification' });
  expect(labels['a.jpg']).toEqual([{ className: 'cat & dog', box: null }]);
});

test('tracks of a video are refused with what to do', async () => {
  const text = '<annotations><track id="0" label="cat"><box frame="0" xtl="1"/></track></annotations>';
  await expect(readLabels({ 'a.jpg': '', 'x.xml': text })).rejects.toThrow(
    'export the task as "CVAT for images"',
  );
});
