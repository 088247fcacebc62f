import { expect, test } from 'vitest';
import { chainsOf } from './chains.js';

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
