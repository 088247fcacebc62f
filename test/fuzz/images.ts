import sharp from 'sharp';
import { cornersHeic } from '#engine/image/fixtures/corners.js';

/** A small valid image of every kind and of the ways in which it is stored. */
export async function smallImages(): Promise<Readonly<Record<string, Buffer>>> {
  const drawn = () =>
    sharp({
      create: { width: 24, height: 16, channels: 4, background: { r: 200, g: 30, b: 90, alpha: 0.5 } },
    });
  return {
    jpeg: await drawn().jpeg().toBuffer(),
    'jpeg, progressive and turned': await drawn()
      .withMetadata({ orientation: 6 })
      .jpeg({ progressive: true })
      .toBuffer(),
    'jpeg, CMYK': await drawn().toColourspace('cmyk').jpeg().toBuffer(),
    png: await drawn().png().toBuffer(),
    'png, palette': await drawn().png({ palette: true }).toBuffer(),
    'png, interlaced with a profile': await drawn()
      .withIccProfile('p3')
      .png({ progressive: true })
      .toBuffer(),
    webp: await drawn().webp().toBuffer(),
    'webp, lossless': await drawn().webp({ lossless: true }).toBuffer(),
    gif: await drawn().gif().toBuffer(),
    tiff: await drawn().tiff({ compression: 'lzw', predictor: 'horizontal' }).toBuffer(),
    'tiff, tiled': await drawn()
      .tiff({ compression: 'deflate', tile: true, tileWidth: 16, tileHeight: 16 })
      .toBuffer(),
    'tiff, jpeg inside': await drawn().tiff({ compression: 'jpeg' }).toBuffer(),
    avif: await drawn().avif({ effort: 0 }).toBuffer(),
    bmp: bmp(24, 0, Buffer.alloc(72 * 16, 0x55)),
    'bmp, palette': bmp(8, 0, Buffer.alloc(1024 + 24 * 16, 0x11)),
    'bmp, run lengths': bmp(8, 1, Buffer.concat([Buffer.alloc(1024, 0x33), rle8()])),
    'bmp, masks': bmp(
      32,
      3,
      Buffer.concat([Buffer.from('0000ff0000ff0000ff000000', 'hex'), Buffer.alloc(96 * 16, 0x77)]),
    ),
  };
}

export const smallHeic = cornersHeic;

/** A BMP of 24 x 16; `rest` is what follows the header: palette or masks, and pixels. */
function bmp(bits: number, compression: number, rest: Buffer): Buffer {
  const head = Buffer.alloc(54);
  head.write('BM');
  head.writeUInt32LE(54 + rest.length, 2);
  head.writeUInt32LE(bits === 8 ? 54 + 1024 : bits === 32 ? 54 + 12 : 54, 10);
  head.writeUInt32LE(40, 14);
  head.writeInt32LE(24, 18);
  head.writeInt32LE(16, 22);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(bits, 28);
  head.writeUInt32LE(compression, 30);
  return Buffer.concat([head, rest]);
}

/** Rows of runs, a literal and a jump, each ended, and the end of the image. */
function rle8(): Buffer {
  const row = Buffer.from([12, 5, 0, 3, 1, 2, 3, 0, 0, 2, 2, 0, 7, 9, 0, 0]);
  return Buffer.concat([...Array.from({ length: 16 }, () => row), Buffer.from([0, 1])]);
}
