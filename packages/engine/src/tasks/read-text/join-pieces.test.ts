import { expect, test } from 'vitest';
import { joinPieces } from './join-pieces.js';
import type { TextRegion } from './text-regions.js';

const piece = (left: number, width: number, { y = 100, height = 40, angleRad = 0 } = {}): TextRegion => ({
  strip: { centre: { x: left + width / 2, y }, width, height, angleRad },
  score: 0.8,
  seenHeightPx: 20,
});
const spans = (regions: readonly TextRegion[]) =>
  joinPieces(regions)
    .map(({ strip: { centre, width } }) => [
      Math.round(centre.x - width / 2),
      Math.round(centre.x + width / 2),
    ])
    .sort(([a = 0], [b = 0]) => a - b);

test('pieces of one line that overlap or touch are one, however many', () => {
  expect(spans([piece(0, 100), piece(95, 80)])).toEqual([[0, 175]]);
  expect(spans([piece(170, 90), piece(0, 100), piece(98, 75)])).toEqual([[0, 260]]);
  expect(spans([piece(0, 100), piece(20, 40, { height: 30 })])).toEqual([[0, 100]]);
});

test('words apart, lines above each other, other sizes and other directions stay apart', () => {
  expect(spans([piece(0, 100), piece(110, 80)])).toHaveLength(2);
  expect(spans([piece(0, 100), piece(0, 100, { y: 135 })])).toHaveLength(2);
  expect(spans([piece(0, 100), piece(60, 100, { height: 20 })])).toHaveLength(2);
  expect(spans([piece(0, 100), piece(95, 80, { angleRad: Math.PI })])).toHaveLength(2);
  expect(spans([piece(0, 100), piece(95, 80, { angleRad: 0.3 })])).toHaveLength(2);
});

test('pieces of a turned line are joined along it', () => {
  const upwards = (y: number, height: number): TextRegion => ({
    ...piece(0, 0),
    strip: { centre: { x: 50, y }, width: height, height: 40, angleRad: -Math.PI / 2 },
  });
  const [whole, ...others] = joinPieces([upwards(300, 100), upwards(212, 80)]);
  expect(others).toEqual([]);
  expect(whole?.strip.width).toBeCloseTo(178);
  expect(whole?.strip.centre.x).toBeCloseTo(50);
  expect(whole?.strip.centre.y).toBeCloseTo(261);
});
