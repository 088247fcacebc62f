import { endianness } from 'node:os';
import sharp, { type Sharp } from 'sharp';
import { EngineError } from '../errors.js';
import { backdropOf } from './backdrop.js';
import { hiddenColours, isAllTransparent, withoutAlpha } from './hidden-colours.js';
import type { ImageKind, ImageLimits } from './image.js';
import { addEndMark, findDamage, refuseDamage } from './jpeg-damage.js';
import { plainJpegSize } from './jpeg-size.js';
import { checkPixels, fromPixels, type Pixels, resampling, resizeColours } from './pixels.js';
import { hasUnspecifiedSamples } from './structure/tiff.js';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Facts from the header of an encoded image; the size is that of the oriented image. */
export interface Header extends Size {
  readonly hasAlpha: boolean;
  /** Of Exif, 1 to 8. */
  readonly orientation: number;
  /** One channel of 16 bits. */
  readonly isGrey16?: boolean;
  /** Whether the channel behind the colours, which libvips takes for alpha, is none by the header. */
  readonly isAlphaIgnored?: boolean;
}

/** Reads the header only; the limit is checked by the caller, so that it has an error of its own. */
export async function readHeader(kind: ImageKind, bytes: Uint8Array, limits: ImageLimits): Promise<Header> {
  const plain = kind === 'jpeg' ? plainJpegSize(bytes) : undefined;
  if (plain) {
    checkPixels(plain.width, plain.height, limits);
    return { ...plain, hasAlpha: false, orientation: 1 };
  }
  const metadata = await sharp(bytes, { failOn: 'error', limitInputPixels: false })
    .metadata()
    .catch(rethrowDamage);
  checkPixels(metadata.width, metadata.height, limits);
  const { autoOrient, hasAlpha, orientation = 1, channels, depth } = metadata;
  const isAlphaIgnored = hasAlpha && kind === 'tiff' && hasUnspecifiedSamples(bytes);
  const isGrey16 = channels === 1 && depth === 'ushort';
  return { ...autoOrient, hasAlpha, orientation, isGrey16, isAlphaIgnored };
}

/**
 * Decodes what libvips decodes, straight to a size: orientation by EXIF, colours to sRGB by the embedded profile,
 * 8 bit, alpha over a backdrop that shows what is visible; of several frames or pages the first. A JPEG is reduced while it is decoded. Pixels missing
 * at the end are an error; a missing end mark after all of them (PNG, GIF) is not.
 */
export async function decodeTo(
  bytes: Uint8Array,
  header: Header,
  size: Size,
  failOn: 'error' | 'warning' = 'error',
): Promise<Pixels> {
  if (header.isAlphaIgnored) {
    const { width, height } = size;
    return resizeColours(withoutAlpha(await decodeWithAlpha(bytes)), width, height);
  }
  const encoded = sharp(bytes, { failOn, limitInputPixels: false }).autoOrient();
  const image = (header.isGrey16 && (await stretch(encoded.clone()).catch(rethrowDamage))) || encoded;
  if (size.width !== header.width || size.height !== header.height) {
    image.resize({ width: size.width, height: size.height, fit: 'fill', kernel: resampling });
  }
  if (header.hasAlpha) image.ensureAlpha();
  const { data, info } = await image
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
    .catch(rethrowDamage);
  const { width, height } = info;
  if (header.hasAlpha && info.channels === 4) {
    const pixels = { data, width, height, channels: 4 } as const;
    if (isAllTransparent(pixels)) {
      const isWhole = width === header.width && height === header.height;
      const colours = hiddenColours(isWhole ? pixels : await decodeWithAlpha(bytes));
      if (colours) return resizeColours(colours, width, height);
    }
    const flat = fromPixels(pixels).flatten({ background: backdropOf(pixels) });
    return { data: await flat.raw().toBuffer(), width, height, channels: 3 };
  }
  if (info.channels !== 3) throw unexpectedChannels(info.channels);
  return { data, width, height, channels: 3 };
}

/** All pixels in their own size: a reduction weighs colours by their alpha, and leaves nothing of those under zero. */
async function decodeWithAlpha(bytes: Uint8Array): Promise<Pixels> {
  const { data, info } = await sharp(bytes, { failOn: 'error', limitInputPixels: false })
    .autoOrient()
    .ensureAlpha()
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
    .catch(rethrowDamage);
  const { width, height, channels } = info;
  if (channels === 4) return { data, width, height, channels };
  throw unexpectedChannels(channels);
}

function unexpectedChannels(channels: number): EngineError {
  return new EngineError(
    'image-unsupported',
    `the image decodes to ${channels} channels and not to three colours; save it as RGB`,
  );
}

/**
 * A grey image of 16 bits with the values of 12, as cameras of microscopes and machines write it, stretched to white: it would be nearly
 * black. A thousandth of the pixels, such as hot ones, decides nothing. Undefined for higher values, and for lower ones, which may
 * as well be a dark image.
 */
async function stretch(image: Sharp): Promise<Sharp | undefined> {
  const { data, info } = await image
    .toColourspace('grey16')
    .raw({ depth: 'ushort' })
    .toBuffer({ resolveWithObject: true });
  if (info.channels !== 1) return undefined;
  const samples = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const grey = new Uint8ClampedArray(data.byteLength / 2);
  const isLittle = endianness() === 'LE';
  const above = { 10: 0, 12: 0 };
  for (let nth = 0; nth < grey.length; nth += 1) {
    const sample = samples.getUint16(2 * nth, isLittle);
    if (sample >= 2 ** 10) above[10] += 1;
    if (sample >= 2 ** 12) above[12] += 1;
    grey[nth] = sample >> 4;
  }
  const few = grey.length / 1000;
  if (above[10] <= few || above[12] > few) return undefined;
  const { width, height } = info;
  return sharp(grey, { raw: { width, height, channels: 1 }, limitInputPixels: false });
}

/**
 * Decodes a JPEG. What libjpeg only warns of is damage when `refuseDamage` finds it too. A missing end mark behind whole pixels, which
 * libjpeg refuses, harms nothing.
 */
export async function decodeJpeg(
  bytes: Buffer,
  header: Header,
  size: Size,
  limits: ImageLimits,
): Promise<Pixels> {
  const damage = limits.refuseDamage ? findDamage(bytes) : undefined;
  if (damage) refuseDamage(damage);
  try {
    return await decodeTo(bytes, header, size, 'warning');
  } catch (error) {
    if (endsEarly.test(String(error))) {
      const whole = addEndMark(bytes);
      if (whole) return decodeJpeg(whole, header, size, limits);
    }
    if (!warnings.test(String(error))) throw error;
    refuseDamage(damage ?? findDamage(bytes), String(error));
    return decodeTo(bytes, header, size);
  }
}

/** Of libjpeg (jerror.h); after any other error a second attempt fails too. */
const warnings = /Corrupt JPEG data|Invalid SOS param|Inconsistent progression|Unknown Adobe|unknown JFIF/;

const endsEarly = /premature end of JPEG image/;

function rethrowDamage(error: unknown): never {
  const reason = error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
  throw new EngineError('image-corrupt', `the image is truncated or damaged: ${reason}`, {
    cause: error,
  });
}
