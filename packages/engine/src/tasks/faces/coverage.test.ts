import { expect, test } from 'vitest';
import { measureCoverage } from './coverage.js';
import { alignDrawing } from './fixtures/aligned-drawing.js';

const mask = (colour: string) =>
  `<path d="M-11 3Q-4 3 0 0.5Q4 3 11 3L10 9Q6 15 0 16Q-6 15-10 9Z" fill="${colour}"/>`;
const sunglasses = (colour: string) =>
  `<path d="M-12-4L-9-4.6M9-4.6L12-4M-1.5-3.6Q0-4.4 1.5-3.6" stroke="#111" fill="none"/>
<path d="M-9.3-5Q-5-6.4-1-5Q-0.6 1-4.6 1.4Q-9-0 -9.3-5ZM9.3-5Q5-6.4 1-5Q0.6 1 4.6 1.4Q9 0 9.3-5Z" fill="${colour}"/>`;
const colours = ['#e8eef0', '#7fb2d6', '#151515', '#a33c58', '#2f6b3a'];
const lenses = ['#0b0b0b', '#2a1a10', '#1c2f5a', '#202830'];

test('a face that nothing covers has little coverage, also with a shadow over a half and with a brow of hair', async () => {
  const shadow = '<rect x="0" y="-20" width="20" height="40" fill="#3a1400" opacity=".5"/>';
  const fringe = '<path d="M-11-14L11-14L10-6.2L-10-6.2Z" fill="#3a2a20"/>';
  for (const over of ['', shadow, fringe]) {
    expect(measureCoverage(await alignDrawing(over))).toBeLessThan(0.8);
  }
});

test.each(colours)('a mask of %s covers it', async (colour) => {
  expect(measureCoverage(await alignDrawing(mask(colour)))).toBeGreaterThan(1);
});

test.each(lenses)('sunglasses of %s cover it', async (colour) => {
  expect(measureCoverage(await alignDrawing(sunglasses(colour)))).toBeGreaterThan(1);
});

test('so do both at once', async () => {
  for (const [index, colour] of lenses.entries()) {
    const over = mask(colours[index] ?? '') + sunglasses(colour);
    expect(measureCoverage(await alignDrawing(over))).toBeGreaterThan(1);
  }
});

test('without any light there is nothing to tell a cover by', () => {
  expect(measureCoverage(new Uint8Array(112 * 112 * 3))).toBe(0);
});
