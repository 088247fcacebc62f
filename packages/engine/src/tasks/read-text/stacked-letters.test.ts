import { expect, test } from 'vitest';
import { findStackedWords } from './stacked-letters.js';
import type { TextRegion } from './text-regions.js';

const region = (x: number, y: number, width = 30, height = 36): TextRegion => ({
  strip: { centre: { x, y }, width, height, angleRad: 0 },
  score: 0.9,
  seenHeightPx: 30,
});
const column = (...ys: number[]) => ys.map((y) => region(100, y));

test('letters at an even pitch are a word, with cells for those that were not found', () => {
  const letters = column(50, 90, 170, 210);
  const { words, others } = findStackedWords([region(300, 60, 200, 30), ...letters]);
  expect(others).toHaveLength(1);
  expect(words).toHaveLength(1);
  expect(words[0]?.members).toHaveLength(4);
  expect(words[0]?.region.letters.map(({ centre }) => centre.y)).toEqual([50, 90, 130, 170, 210]);
});

test.each([
  ['two letters', column(50, 90)],
  ['an uneven pitch', column(50, 90, 148, 190)],
  ['letters far apart', column(50, 150, 250)],
  [
    'letters beside other text',
    [...column(50, 90, 130), ...[50, 90, 130].map((y) => region(200, y, 140, 30))],
  ],
  ['wide lines', [50, 90, 130].map((y) => region(100, y, 200, 30))],
])('%s are no word', (_, regions) => {
  const { words, others } = findStackedWords(regions);
  expect(words).toEqual([]);
  expect(others).toEqual(regions);
});
