import sharp from 'sharp';

/**
 * Another photograph of the same face, as far as an image gives that: mirrored, cut closer, lighter or darker, softer,
 * smaller, and in another JPEG quality. The same number gives the same image.
 */
export async function vary(face: Buffer, number: number): Promise<Buffer> {
  const part = createParts(number);
  const between = (least: number, most: number) => least + part() * (most - least);
  const { width = 0, height = 0 } = await sharp(face).metadata();
  const [left, top] = [Math.floor(width * between(0, 0.1)), Math.floor(height * between(0, 0.1))];
  const cut = sharp(face)
    .flop(part() < 0.5)
    .extract({
      left,
      top,
      width: Math.floor((width - left) * between(0.9, 1)),
      height: Math.floor((height - top) * between(0.9, 1)),
    })
    .modulate({ brightness: between(0.7, 1.3) })
    .resize({ width: Math.round(between(150, 260)) });
  const softened = part() < 0.4 ? cut.blur(between(0.3, 1.5)) : cut;
  return softened.jpeg({ quality: Math.round(between(30, 95)) }).toBuffer();
}

/** Numbers from 0 to 1, the same ones for the same seed. */
function createParts(seed: number): () => number {
  let state = (Math.imul(seed + 1, 2654435761) ^ 0x5bd1e995) >>> 0;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
