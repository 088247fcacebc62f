import sharp from 'sharp';
import { EngineError } from '../errors.js';
import type { PictureLimits } from './picture.js';
import { backdrop, checkPixels, type DecodedPicture, resampling, workingSize } from './pixels.js';

/**
 * Decodes what libvips decodes, once, straight to the working size: orientation by EXIF, colours to sRGB by the
 * embedded profile, 8 bit, alpha over white; of several frames or pages the first. A JPEG is reduced while it is
 * decoded. Pixels missing at the end are an error; a missing end mark after all of them (PNG, GIF) is not.
 */
export async function decodeWithSharp(
  bytes: Uint8Array,
  limits: PictureLimits,
  detailPx: number,
): Promise<DecodedPicture> {
  const image = sharp(bytes, { failOn: 'error', limitInputPixels: false });
  // Reads no further than the header; the limit is ours to check, so that its error is told apart.
  const metadata = await image.metadata().catch(tellDamage);
  checkPixels(metadata.width, metadata.height, limits);
  const { width, height } = metadata.autoOrient;
  const size = workingSize(width, height, detailPx);

  image.autoOrient();
  if (size.width !== width || size.height !== height) {
    image.resize({ ...size, fit: 'fill', kernel: resampling });
  }
  if (metadata.hasAlpha) image.flatten({ background: backdrop });
  const { data, info } = await image
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
    .catch(tellDamage);
  if (info.channels !== 3) {
    throw new EngineError(
      'picture-unsupported',
      `the picture has ${metadata.channels} channels that are no colours; save it as RGB`,
    );
  }
  return { width, height, pixels: { data, width: info.width, height: info.height, channels: 3 } };
}

function tellDamage(error: unknown): never {
  const reason = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
  throw new EngineError('picture-corrupt', `the picture is damaged or cut short: ${reason}`, {
    cause: error,
  });
}
