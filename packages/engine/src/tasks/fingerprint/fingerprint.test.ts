import sharp, { type Sharp } from 'sharp';
import { expect, test } from 'vitest';
import { openImage } from '../../image/open-image.js';
import { fingerprint } from './fingerprint.js';

/** Blots at positions from the seed. */
async function drawing(seed: number): Promise<Sharp> {
  const blots = Array.from({ length: 12 }, (_, index) => {
    const random = (salt: number) => Math.abs(Math.sin(seed * 97 + index * 13 + salt * 7)) % 1;
    const grey = Math.round(255 * random(1));
    return `<circle cx="${640 * random(2)}" cy="${480 * random(3)}" r="${40 + 90 * random(4)}" fill="rgb(${grey},${255 - grey},${grey})"/>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480">${blots.join('')}</svg>`;
  return sharp(await sharp(Buffer.from(svg)).flatten({ background: '#888' }).png().toBuffer());
}

async function of(raster: Sharp): Promise<string> {
  const image = await openImage(
    { kind: 'bytes', bytes: await raster.toBuffer() },
    { limits: { maxPixels: 1e7 }, detailPx: fingerprint.detailPx({}), rasters: 1 },
  );
  const context = {
    image,
    load: () => Promise.reject(new Error('no model')),
    earlier: {},
    signal: new AbortController().signal,
  };
  return (await fingerprint.run(context, {})).fingerprint;
}

function differingBits(a: string, b: string): number {
  const bits = (BigInt(`0x${a}`) ^ BigInt(`0x${b}`)).toString(2);
  return bits.replaceAll('0', '').length;
}

test('an image made smaller, brighter or compressed again keeps nearly all of its fingerprint', async () => {
  const original = await of((await drawing(1)).png());
  expect(original).toMatch(/^[0-9a-f]{32}$/);
  for (const changed of [
    (await drawing(1)).jpeg({ quality: 50 }),
    (await drawing(1)).resize(320, 240).jpeg(),
    (await drawing(1)).modulate({ brightness: 1.1 }).png(),
  ]) {
    expect(differingBits(original, await of(changed))).toBeLessThanOrEqual(12);
  }
});

test('other images have other fingerprints', async () => {
  const seen = await Promise.all([1, 2, 3, 4, 5].map(async (seed) => of((await drawing(seed)).png())));
  seen.forEach((one, index) => {
    for (const other of seen.slice(index + 1)) expect(differingBits(one, other)).toBeGreaterThan(12);
  });
});
