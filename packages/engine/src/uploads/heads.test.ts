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

describe('finished rows of y1, x1, y2, x2', () => {
  const rows = seeingNet({ outputs: [finished(['y1', 'x1', 'y2', 'x2', 'score', 1])] });
  const pair = { labels: ['cat', 'dog'] };
  const box = [8, 16, 24, 56] as const;

  test('are told from x1, y1, x2, y2 by the drawn object, and a note says so', async () => {
    const read = await readHere(rows, pair);
    expect(await answersFor(read, box)).toEqual([{ label: 'dog', score: 0.9, box: [...box] }]);
    expect(read.notes.join()).toMatch(/corners, y first \(yxyx\): the best one lies on the drawn object so/);
    expect(read.notes.join()).toContain('lies on it');
  });

  test('are read as boxes.format says', async () => {
    const read = await readHere(rows, { ...pair, boxes: { format: 'xyxy' } });
    const [answer] = await answersFor(read, box);
    expect(answer?.box).toEqual([16, 8, 56, 24]);
  });
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
