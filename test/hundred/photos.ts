import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp, { type Sharp } from 'sharp';
import { cameraJpeg } from '../keywords/camera-jpeg.js';
import { debianExiftool } from '../keywords/keyword-trial.js';
import { rawFile } from '../keywords/raw-file.js';
import { samplePath } from '../support/sample.js';
import { photoBmp } from './photo-bmp.js';

/** A file that a drop takes: where keywords go in it. */
export interface PhotoKind {
  readonly name: string;
  readonly metadataTarget: 'iptc+xmp' | 'xmp' | 'sidecar' | 'raw';
  /** Whether Debian's exiftool can write metadata into it before it is sent. */
  readonly isTagged: boolean;
}

const kind = (name: string, metadataTarget: PhotoKind['metadataTarget'], isTagged = true): PhotoKind => ({
  name,
  metadataTarget,
  isTagged,
});

/** Every format that a drop accepts, in the ways in which it is stored. */
export const photoKinds: readonly PhotoKind[] = [
  kind('plain.jpg', 'iptc+xmp'),
  kind('progressive-turned.jpg', 'iptc+xmp'),
  kind('cmyk.jpg', 'iptc+xmp'),
  kind('camera.jpg', 'iptc+xmp'),
  kind('plain.png', 'iptc+xmp'),
  kind('palette.png', 'iptc+xmp'),
  kind('interlaced-profile.png', 'iptc+xmp'),
  kind('deep.png', 'iptc+xmp'),
  kind('lzw.tif', 'iptc+xmp'),
  kind('tiled.tif', 'iptc+xmp'),
  kind('jpeg-inside.tif', 'iptc+xmp'),
  kind('pages.tif', 'iptc+xmp'),
  kind('big.tif', 'sidecar', false),
  kind('plain.webp', 'xmp'),
  kind('lossless.webp', 'xmp'),
  kind('moving.webp', 'xmp'),
  kind('plain.gif', 'xmp'),
  kind('moving.gif', 'xmp'),
  kind('plain.avif', 'xmp'),
  kind('plain.heic', 'xmp'),
  kind('plain.bmp', 'sidecar', false),
  kind('palette.bmp', 'sidecar', false),
  kind('masks.bmp', 'sidecar', false),
  kind('camera.dng', 'raw'),
  kind('sensor.tif', 'sidecar'),
];

/** Of the preview in the raw files, and of every other image: no two widths make the same file. */
export async function writePhotos(folder: string, widthPx: number): Promise<void> {
  const image = await sharp(samplePath).resize(widthPx).png().toBuffer();
  const made = await makePhotos(image);
  for (const [name, bytes] of Object.entries(made)) await writeFile(join(folder, name), bytes);
  const png = join(folder, 'plain.png');
  await promisify(execFile)('heif-enc', ['-q', '80', png, '-o', join(folder, 'plain.heic')]);
  await tag(folder);
}

/** What an image desk would have written before. */
async function tag(folder: string): Promise<void> {
  const paths = photoKinds.filter(({ isTagged }) => isTagged).map(({ name }) => join(folder, name));
  const xmp = ['-XMP-dc:Title=At the crossing', '-XMP-dc:Subject=Harbour', '-XMP-xmp:Rating=4'];
  const iptc = ['-IPTC:City=Praha', '-IPTC:Keywords=Harbour'];
  const words = ['-q', '-overwrite_original', '-EXIF:Artist=One of us', ...xmp, ...iptc];
  await promisify(execFile)(debianExiftool, [...words, ...paths]);
}

async function makePhotos(image: Buffer): Promise<Record<string, Buffer>> {
  const drawn = () => sharp(image);
  const turned = await drawn().rotate(270).toBuffer();
  const preview = await sharp(turned).resize({ height: 1280 }).jpeg().toBuffer();
  const moving = await frames(image);
  return {
    'plain.jpg': await drawn().jpeg().toBuffer(),
    'progressive-turned.jpg': await turnedJpeg(turned),
    'cmyk.jpg': await drawn().toColourspace('cmyk').jpeg().toBuffer(),
    'camera.jpg': (await cameraJpeg(turned)).bytes,
    'plain.png': await drawn().png().toBuffer(),
    'palette.png': await drawn().png({ palette: true }).toBuffer(),
    'interlaced-profile.png': await drawn().withIccProfile('p3').png({ progressive: true }).toBuffer(),
    'deep.png': await drawn().toColourspace('rgb16').png().toBuffer(),
    'lzw.tif': await drawn().tiff({ compression: 'lzw', predictor: 'horizontal' }).toBuffer(),
    'tiled.tif': await drawn().tiff({ compression: 'deflate', tile: true }).toBuffer(),
    'jpeg-inside.tif': await drawn().tiff({ compression: 'jpeg' }).toBuffer(),
    'pages.tif': await moving().tiff({ compression: 'deflate' }).toBuffer(),
    'big.tif': await drawn().tiff({ bigtiff: true }).toBuffer(),
    'plain.webp': await drawn().webp().toBuffer(),
    'lossless.webp': await drawn().webp({ lossless: true }).toBuffer(),
    'moving.webp': await moving().webp().toBuffer(),
    'plain.gif': await drawn().gif().toBuffer(),
    'moving.gif': await moving().gif().toBuffer(),
    'plain.avif': await drawn().avif({ effort: 0 }).toBuffer(),
    'plain.bmp': await photoBmp(image, 'colours'),
    'palette.bmp': await photoBmp(image, 'palette'),
    'masks.bmp': await photoBmp(image, 'masks'),
    'camera.dng': rawFile({ preview }),
    'sensor.tif': rawFile({ preview, version: false }),
  };
}

async function turnedJpeg(turned: Buffer): Promise<Buffer> {
  return sharp(turned).withMetadata({ orientation: 6 }).jpeg({ progressive: true }).toBuffer();
}

/** The image, and then its mirror image. */
async function frames(image: Buffer): Promise<() => Sharp> {
  const { data, info } = await sharp(image).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const mirrored = await sharp(image).flop().removeAlpha().raw().toBuffer();
  const { width, height } = info;
  const raw = { width, height: height * 2, channels: 3, pageHeight: height } as const;
  return () => sharp(Buffer.concat([data, mirrored]), { raw });
}
