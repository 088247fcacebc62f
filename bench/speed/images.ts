import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';

export interface Images {
  readonly paths: readonly string[];
  readonly jpegs: readonly Buffer[];
}

/** Side by side, across and down: 6 x 6 of 640x480 are eleven million pixels. */
const mosaicSide = 6;

/** Up to 16 photographs of the data folder as 640x480 JPEGs. */
export async function writePhotos(data: string, folder: string): Promise<Images> {
  const paths = (await photosOf(data)).slice(0, 16);
  const jpegs = await Promise.all(paths.map((path) => small(path).jpeg({ quality: 85 }).toBuffer()));
  return write(folder, 'small', jpegs);
}

/**
 * Images of about 12 megapixels, none of which is like those of a camera: photographs enlarged, which show nothing
 * small, and a mosaic, which is full of small things.
 */
export async function writeLargeImages(data: string, folder: string) {
  const paths = await photosOf(data);
  const enlarged = await Promise.all(
    paths
      .slice(0, 4)
      .map((path) => sharp(path).resize(4000, 3000, { fit: 'cover' }).jpeg({ quality: 85 }).toBuffer()),
  );
  const mosaic = await sharp({
    create: { width: 640 * mosaicSide, height: 480 * mosaicSide, channels: 3, background: '#808080' },
  })
    .composite(
      await Promise.all(
        paths.slice(0, mosaicSide ** 2).map(async (path, index) => ({
          input: await small(path).png().toBuffer(),
          left: 640 * (index % mosaicSide),
          top: 480 * Math.floor(index / mosaicSide),
        })),
      ),
    )
    .jpeg({ quality: 85 })
    .toBuffer();
  return {
    enlarged: await write(folder, 'enlarged', enlarged),
    mosaic: await write(folder, 'mosaic', [mosaic]),
  };
}

async function photosOf(data: string): Promise<string[]> {
  const images = join(data, 'coco', 'images');
  const names = (await readdir(images)).sort().filter((name) => name.endsWith('.jpg'));
  return names.map((name) => join(images, name));
}

function small(path: string) {
  return sharp(path).resize(640, 480, { fit: 'cover' });
}

async function write(folder: string, name: string, jpegs: readonly Buffer[]): Promise<Images> {
  const paths = jpegs.map((_, index) => join(folder, `${name}-${index}.jpg`));
  await Promise.all(jpegs.map((jpeg, index) => writeFile(paths[index] ?? '', jpeg)));
  return { paths, jpegs };
}
