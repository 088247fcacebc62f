import { expect, test } from 'vitest';
import { readLabels } from '../fixtures/read-labels.js';

const cat = (...box: readonly number[]) => ({ className: 'cat', box });

test('coordinates of Create ML are of the centre', async () => {
  const annotations = [{ label: 'cat', coordinates: { x: 35, y: 50, width: 50, height: 60 } }];
  const text = JSON.stringify([{ image: 'a.jpg', annotations }]);
  const { labels, plan, findings } = await readLabels({
    'train/a.jpg': '',
    'train/_annotations.createml.json': text,
  });
  expect([plan.format, labels, findings.filter(({ problem }) => problem !== 'ignored-file')]).toEqual([
    'createml',
    { 'train/a.jpg': [cat(10, 20, 60, 80)] },
    [],
  ]);
  expect(plan.images[0]?.split).toBe('train');
});
