import sharp from 'sharp';

/** A JPEG of RGB pixels, 8 bit, interleaved. */
export async function encodeJpeg(
  rgb: Uint8Array,
  { width, height }: { readonly width: number; readonly height: number },
): Promise<Uint8Array> {
  return sharp(rgb, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 80 })
    .toBuffer();
}
