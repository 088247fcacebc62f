import { describe, expect, test } from 'vitest';
import type { Image } from '../image/image.js';
import { inputTensor, placeInput } from './input.js';

const frame = (width: number, height: number) => ({ xMin: 0, yMin: 0, xMax: width, yMax: height });

describe('how an image fills an input', () => {
  test('squashed: all of it, at the exact size', () => {
    expect(placeInput(frame(640, 480), { fit: 'squash', width: 300, height: 300 })).toEqual({
      width: 300,
      height: 300,
      box: frame(640, 480),
    });
  });

  test('letterbox: the whole image, and boxes found in the input map back to the image', () => {
    const geometry = { fit: 'letterbox', width: 640, height: 640, fill: 114, place: 'centre' } as const;
    expect(placeInput(frame(1280, 960), geometry)).toEqual({
      width: 640,
      height: 640,
      box: { xMin: 0, yMin: -160, xMax: 1280, yMax: 1120 },
    });
    expect(placeInput(frame(480, 960), { ...geometry, place: 'corner' })).toMatchObject({
      box: { xMin: 0, yMin: 0, xMax: 960, yMax: 960 },
    });
  });

  test('letterbox: the padding is grey, and nothing of the image is lost', async () => {
    const raster = async ({ width, height }: { width: number; height: number }) =>
      new Uint8Array(width * height * 3).fill(9);
    const image: Image = { kind: 'png', width: 100, height: 50, raster, patch: raster };
    const geometry = { fit: 'letterbox', width: 8, height: 8, fill: 114, place: 'centre' } as const;
    const { data } = await inputTensor(image, geometry);
    const rows = Array.from({ length: 8 }, (_, y) => [
      ...new Set(Array.from(data.slice(y * 24, (y + 1) * 24), Number)),
    ]);
    expect(rows).toEqual([[114], [114], [9], [9], [9], [9], [114], [114]]);
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
