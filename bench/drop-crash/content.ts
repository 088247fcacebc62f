import { createHash, randomBytes, randomInt } from 'node:crypto';
import sharp from 'sharp';

/** Edges in pixels: some files are written at once, and some take a while. */
const edges = [96, 160, 400, 900] as const;

/** A unique image. */
export async function makeImage(): Promise<Buffer> {
  const edge = edges[randomInt(edges.length)] ?? 96;
  const raw = { width: edge, height: edge, channels: 3 } as const;
  return sharp(randomBytes(edge * edge * 3), { raw })
    .jpeg()
    .toBuffer();
}

/** A file that is not an image. */
export function makeText(): Buffer {
  return Buffer.from(`no image: ${randomBytes(randomInt(10, 30_000)).toString('hex')}`);
}

/** Of a JPEG its pixels, which keywords do not change; of anything else its bytes. An image that is not whole has another. */
export async function digestOf(content: Uint8Array): Promise<string> {
  const isJpeg = content[0] === 0xff && content[1] === 0xd8;
  const hashedBytes = isJpeg
    ? await sharp(content, { failOn: 'truncated' })
        .raw()
        .toBuffer()
        .catch(() => content)
    : content;
  return createHash('sha256').update(hashedBytes).digest('hex');
}
