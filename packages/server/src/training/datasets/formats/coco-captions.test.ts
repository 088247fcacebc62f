import { expect, test } from 'vitest';
import { treeOfTexts } from '../fixtures/text-tree.js';
import { readTree } from './read-tree.js';

const images = [{ id: 1, file_name: '1.jpg' }];
const instances = JSON.stringify({
  images,
  annotations: [{ image_id: 1, category_id: 1, bbox: [1, 1, 9, 9] }],
  categories: [{ id: 1, name: 'a' }],
});

test.each([
  ['captions', { images, annotations: [{ image_id: 1, id: 1, caption: 'A dog.' }] }],
  ['panoptic segments', { images, annotations: [{ image_id: 1, segments_info: [], file_name: '1.png' }] }],
  ['JSON of another kind', { version: '5.0.1', shapes: [], imagePath: '1.jpg' }],
  ['a list', [1, 2]],
])('%s beside instances are passed over', async (_name, other) => {
  const tree = treeOfTexts({
    '1.jpg': '',
    'annotations/a_other.json': JSON.stringify(other),
    'annotations/instances.json': instances,
  });
  const plan = await readTree(tree, 'coco');
  expect(plan.classes).toEqual(['a']);
  expect(plan.images).toMatchObject([{ path: '1.jpg', labels: [{ className: 'a' }] }]);
});

test('captions are read no further than the first', async () => {
  const tree = treeOfTexts({ '1.jpg': '', 'annotations/instances.json': instances });
  async function* captions() {
    yield '{"annotations": [{"image_id": 1, "caption": "A dog."},';
    throw new Error('read on');
  }
  const plan = await readTree(
    {
      ...tree,
      paths: ['annotations/captions.json', ...tree.paths],
      streamText: (path) => (path.includes('captions') ? captions() : tree.streamText(path)),
    },
    'coco',
  );
  expect(plan.images).toHaveLength(1);
});
