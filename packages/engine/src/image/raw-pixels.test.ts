import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { EngineError } from '../errors.js';
import { openImage } from './open-image.js';
import { openFrame, openPixels, writePixels } from './raw-pixels.js';

const folder = mkdtempSync(join(tmpdir(), 'lynceus-frame-'));
const path = join(folder, 'frame');
afterAll(() => rmSync(folder, { recursive: true }));

const limits = { maxPixels: 1e6 };
/** Each pixel is another colour. */
const gradient = (width: number, height: number) =>
  Uint8Array.from({ length: width * height * 3 }, (_, at) => (at * 7) % 256);

describe('a frame', () => {
  test('is its own pixels, of its own size, whatever detail is asked for', async () => {
    writeFileSync(path, gradient(40, 30));
    const frame = await openImage(
      { kind: 'frame', path, width: 40, height: 30 },
      { limits, detailPx: 0, rasters: 1 },
    );
    expect(frame).toMatchObject({ kind: 'frame', width: 40, height: 30 });
    const raster = await frame.raster({ width: 40, height: 30 });
    expect(raster).toEqual(gradient(40, 30));
    raster.fill(0);
    expect(await frame.raster({ width: 40, height: 30 })).toEqual(gradient(40, 30));
    const region = { xMin: 10, yMin: 20, xMax: 12, yMax: 21 };
    const cut = await frame.raster({ region, width: 2, height: 1 });
    const at = 3 * (20 * 40 + 10);
    expect([...cut]).toEqual([...gradient(40, 30).subarray(at, at + 6)]);
  });

  test('is refused unless its file has exactly the bytes of its size, and its size is within the limit', () => {
    const side = fc.integer({ min: 1, max: 12 });
    fc.assert(
      fc.property(
        side,
        side,
        fc.integer({ min: -3, max: 3 }),
        fc.nat(144),
        (width, height, more, maxPixels) => {
          writeFileSync(path, Buffer.alloc(Math.max(0, width * height * 3 + more)));
          const outcome = codeOf({ width, height }, maxPixels);
          if (width * height > maxPixels) expect(outcome).toBe('image-too-large');
          else expect(outcome).toBe(more === 0 ? 'opened' : 'image-corrupt');
        },
      ),
    );
  });

  test.each([
    [0, 30, 'image-corrupt'],
    [-40, -30, 'image-corrupt'],
    [Number.NaN, 30, 'image-corrupt'],
    [1e9, 1e9, 'image-too-large'],
    [Number.POSITIVE_INFINITY, 1, 'image-too-large'],
    [1e-9, 1e9, 'image-corrupt'],
  ])('of %d x %d pixels is refused', (width, height, code) => {
    writeFileSync(path, gradient(40, 30));
    expect(codeOf({ width, height }, 1e6)).toBe(code);
  });

  test('whose file is huge is refused before it is read', () => {
    writeFileSync(path, '');
    truncateSync(path, 2 ** 42);
    expect(codeOf({ width: 40, height: 30 }, 1e6)).toBe('image-corrupt');
  });

  test('whose file is gone, or no file, is refused', () => {
    rmSync(path);
    expect(codeOf({ width: 40, height: 30 }, 1e6)).toBe('image-empty');
    expect(() => openFrame({ kind: 'frame', path: folder, width: 40, height: 30 }, limits)).toThrow(
      'not a regular file',
    );
  });
});

describe('shared pixels', () => {
  test('are the image of the process that wrote them', async () => {
    writeFileSync(path, gradient(40, 30));
    const { pixels } = openFrame({ kind: 'frame', path, width: 40, height: 30 }, limits);
    if (!pixels) throw new Error('a frame has pixels');
    const image = { kind: 'png', width: 80, height: 60, pixels } as const;
    const none = () => Promise.reject(new Error('not needed'));
    const shared = writePixels(path, { ...image, raster: none, patch: none });
    const opened = openPixels(shared);
    expect(opened).toMatchObject({ kind: 'png', width: 80, height: 60, pixels: { width: 40 } });
    expect(await opened.raster({ width: 40, height: 30 })).toEqual(gradient(40, 30));
  });

  test('that are damaged are a fault of the engine, not of the image', () => {
    writeFileSync(path, gradient(40, 30).subarray(1));
    const shared = { path, width: 40, height: 30, image: { kind: 'jpeg', width: 40, height: 30 } } as const;
    expect(() => openPixels({ kind: 'pixels', ...shared })).toThrow(
      expect.objectContaining({ code: 'internal' }),
    );
  });
});

function codeOf(size: { readonly width: number; readonly height: number }, maxPixels: number): string {
  try {
    openFrame({ kind: 'frame', path, ...size }, { maxPixels });
    return 'opened';
  } catch (error) {
    return error instanceof EngineError ? error.code : `stray ${String(error)}`;
  }
}
