import sharp from 'sharp';

/** A drawing of ours, with noise, so that decoding it takes its time. */
export async function drawNoise(sidePx: number, isProgressive = false): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 120, sigma: 40 } as const;
  const create = { width: sidePx, height: sidePx, channels: 3, background: 'teal', noise } as const;
  return sharp({ create }).jpeg({ progressive: isProgressive, quality: 60 }).toBuffer();
}

/** A drawing of one colour, a few kilobytes whatever its size. */
export async function drawPlain(sidePx: number): Promise<Buffer> {
  return sharp({ create: { width: sidePx, height: sidePx, channels: 3, background: 'teal' } })
    .png()
    .toBuffer();
}

export function toBlob(bytes: Uint8Array): Blob {
  return new Blob([new Uint8Array(bytes)]);
}
