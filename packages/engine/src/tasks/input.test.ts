import { describe, expect, test } from 'vitest';
import { placeInput } from './input.js';

const frame = (width: number, height: number) => ({ xMin: 0, yMin: 0, xMax: width, yMax: height });

describe('how a picture fills an input', () => {
  test('squashed: all of it, at the exact size', () => {
    expect(placeInput(frame(640, 480), { fit: 'squash', width: 300, height: 300 })).toEqual({
      width: 300,
      height: 300,
      box: frame(640, 480),
    });
  });

  test('inside: the aspect ratio kept as far as the multiple allows', () => {
    const geometry = { fit: 'inside', longSide: 512, multiple: 32 } as const;
    expect(placeInput(frame(640, 480), geometry)).toMatchObject({ width: 512, height: 384 });
    expect(placeInput(frame(480, 640), geometry)).toMatchObject({ width: 384, height: 512 });
  });

  test('inside: a strip of one pixel still gets a side', () => {
    expect(placeInput(frame(10_000, 1), { fit: 'inside', longSide: 512, multiple: 32 })).toMatchObject({
      width: 512,
      height: 32,
    });
  });

  test('centre: the square in the middle of the shorter side', () => {
    expect(placeInput(frame(640, 400), { fit: 'centre', fraction: 0.875, side: 299 })).toEqual({
      width: 299,
      height: 299,
      box: { xMin: 145, yMin: 25, xMax: 495, yMax: 375 },
    });
  });
});
