import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { type Form, formOf } from './form.js';

/** What is sent, good and bad, in bytes. */
export interface Images {
  /** 640x480, with a stop sign. */
  readonly jpeg: Buffer;
  readonly png: Buffer;
  readonly webp: Buffer;
  /** A valid image above a MiB, so that an inference process unpacks its JSON. */
  readonly heavy: Buffer;
  readonly cut: Buffer;
  /** A form whose file has one byte more than the service takes; made once, since it takes its time. */
  readonly tooLarge: Form;
  /** A JSON body of more bytes than the service takes. */
  readonly tooLargeJson: Buffer;
}

const samplePath = new URL('../../../packages/server/assets/sample.jpg', import.meta.url);
const maxImageBytes = 25 * 1024 * 1024;
const maxJsonBytes = 36 * 1024 * 1024;

export async function makeImages(): Promise<Images> {
  const jpeg = await readFile(samplePath);
  const small = sharp(jpeg).resize(320, 240);
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  const heavy = await sharp({ create: { width: 800, height: 600, channels: 3, background: '#888', noise } })
    .png()
    .toBuffer();
  return {
    jpeg,
    png: await small.clone().png().toBuffer(),
    webp: await small.clone().webp().toBuffer(),
    heavy,
    cut: jpeg.subarray(0, Math.floor(jpeg.length / 2)),
    tooLarge: formOf(Buffer.alloc(maxImageBytes + 1, 0x20)),
    tooLargeJson: Buffer.alloc(maxJsonBytes + 1, 0x20),
  };
}
