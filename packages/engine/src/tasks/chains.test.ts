import { expect, test } from 'vitest';
import { chainsOf, longestFirst } from './chains.js';

const names = (...tasks: string[]) =>
  chainsOf(tasks.map((task) => ({ task }))).map((chain) => chain.map(({ task }) => task));

test('dependent tasks form a chain, in their order, and all others are chains of their own', () => {
  expect(names('readText', 'detect', 'classify', 'segment', 'faces')).toEqual([
    ['readText'],
    ['detect', 'segment'],
    ['classify'],
    ['faces'],
  ]);
  expect(names('segment')).toEqual([['segment']]);
  expect(names()).toEqual([]);
});

test('chains are begun with the longest: faces of a large image, the classes of the objects of a small one', () => {
  const chains = chainsOf(
    ['thumbnail', 'readText', 'faces', 'detect', 'segment', 'classify', 'draw'].map((task) => ({ task })),
  );
  const order = (pixels: number) => longestFirst(chains, pixels).map((index) => chains[index]?.[0]?.task);
  expect(order(640 * 480)).toEqual(['detect', 'readText', 'faces', 'classify', 'thumbnail', 'draw']);
  expect(order(4000 * 3000)).toEqual(['faces', 'readText', 'detect', 'classify', 'thumbnail', 'draw']);
});
