import { expect, test } from 'vitest';
import { readLabels } from '../fixtures/read-labels.js';

test.each([
  [
    'createml',
    [
      { image: 'a.jpg', annotations: [] },
      { imageName: 'b.jpg', annotations: [{ label: 'cat' }, { label: 'dog' }] },
    ],
    { 'a.jpg': null, 'b.jpg': null },
    ['no-image', 2],
  ],
  [
    'createml',
    [{ image: 'a.jpg', annotations: { label: 'cat' } }],
    { 'a.jpg': null, 'b.jpg': null },
    ['bad-label', 1],
  ],
  [
    'via',
    { x: { filename: 'a.jpg', regions: [] }, y: { fileref: 'b.jpg', regions: [{}] } },
    { 'a.jpg': null, 'b.jpg': null },
    ['no-image', 1],
  ],
  ['via', { x: { filename: 'a.jpg', regions: 'none' } }, { 'a.jpg': null, 'b.jpg': null }, ['bad-label', 1]],
  [
    'cvat',
    '<annotations><image name="a.jpg"/><image><tag label="cat"/><tag label="dog"/></image></annotations>',
    { 'a.jpg': null, 'b.jpg': null },
    ['no-image', 2],
  ],
] as const)(
  'labels of an entry that cannot be read are in a finding, and no image is a negative: %s %j',
  async (format, content, expected, finding) => {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    const region = {
      shape_attributes: { name: 'rect', x: 1, y: 1, width: 9, height: 9 },
      region_attributes: { kind: 'cat' },
    };
    const more = {
      createml: [JSON.stringify([{ image: 'c.jpg', annotations: [{ label: 'cat' }] }]), 'json'],
      via: [JSON.stringify({ z: { filename: 'c.jpg', regions: [region] } }), 'json'],
      cvat: ['<annotations><image name="c.jpg"><tag label="cat"/></image></annotations>', 'xml'],
    } as const;
    const [other, ending] = more[format];
    const { plan, findings } = await readLabels(
      { 'a.jpg': '', 'b.jpg': '', 'c.jpg': '', [`x.${ending}`]: text, [`y.${ending}`]: other },
      { format, task: 'classification' },
    );
    const labels = plan.images.map((each) => [
      each.path,
      each.labels?.length === 0 && each.lost === 0 ? [] : null,
    ]);
    expect(Object.fromEntries(labels)).toMatchObject(expected);
    expect(findings.map(({ problem, labels: count }) => [problem, count])).toContainEqual(finding);
  },
);
