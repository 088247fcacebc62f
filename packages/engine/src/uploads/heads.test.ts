import { describe, expect, test } from 'vitest';
import { args, columns, corners, finished, heads, masks, metadata, object, pets } from './fixtures/heads.js';
import { answersFor, readHere } from './fixtures/read-here.js';
import { seeingNet } from './fixtures/seeing-net.js';
import { table, tinyNet } from './fixtures/tiny-nets.js';

describe('each head finds the drawn object, and nothing else', () => {
  for (const [name, net, options] of heads)
    test(name, async () => {
      const read = await readHere(seeingNet(net), options);
      expect(await answersFor(read, object)).toEqual([{ label: 'dog', score: 0.9, box: [...object] }]);
    });
});

test('a turned box is answered as the upright box around it', async () => {
  const net = seeingNet({
    outputs: [columns([0, 'score', Math.PI / 4], [0.001, 0.001, -0.3])],
    metadata: metadata('obb', pets),
  });
  const read = await readHere(net);
  const half = (16 + 12) / Math.SQRT2 / 2;
  const [answer] = await answersFor(read, [24, 26, 40, 38]);
  expect(answer?.box.map((side) => Math.round(side))).toEqual(
    [32 - half, 32 - half, 32 + half, 32 + half].map(Math.round),
  );
  expect(read.notes.join()).toContain('the upright boxes around them');
});

test('columns that the task does not explain are refused, and so are finished rows of another width', async () => {
  const wide = seeingNet({
    outputs: [columns([0, 'score', ...masks], [0.001, 0.001, ...masks])],
    metadata: metadata('detect', pets),
  });
  await expect(readHere(wide)).rejects.toThrow('34 more, which 2 labels and the task detect do not explain');
  const rows = seeingNet({
    outputs: [finished([...corners, 'score', 1])],
    metadata: metadata('segment', pets, args(true)),
  });
  await expect(readHere(rows)).rejects.toThrow('rows of 38 numbers, but it gives output0 [1,300,6]');
});

describe('finished rows are told from grids by their number, though nothing is found in the drawn images:', () => {
  test.each([
    ['segment', 38, { labels: ['dog'] }],
    ['pose', 57, { labels: ['dog'] }],
    ['obb', 7, { labels: ['cat', 'dog'] }],
  ])('%s', async (_name, width, options) => {
    const net = tinyNet({ outputs: [{ name: 'output0', ...table(300, width, {}) }] });
    const { recognition } = await readHere(net, options);
    expect(recognition.plan.head).toMatchObject({ head: 'rows', width, boxes: { unit: 'pixels' } });
  });
});
