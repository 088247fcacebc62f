import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openImage } from '@lynceus/engine';
import sharp from 'sharp';
import { readCoco } from '../accuracy/datasets.js';

export interface ImageFile {
  readonly path: string;
  readonly sha256: string;
}

/** A class with its images. */
export interface ImageClass {
  readonly title: string;
  readonly images: readonly ImageFile[];
}

/** The last WordNet id of an animal among ImageNet's classes: a puffer. */
export const lastAnimal = 'n02655020';

/** `DIR/raccoon/images` against the animals of `DIR/imagenet`. */
export async function readRaccoons(dir: string): Promise<ImageClass[]> {
  const raccoons = await readdir(join(dir, 'raccoon', 'images'));
  const animals = (await readdir(join(dir, 'imagenet'))).filter((name) => name.slice(0, 9) <= lastAnimal);
  const files = (folder: readonly string[], names: readonly string[]) =>
    Promise.all(names.toSorted().map((name) => imageFile(join(dir, ...folder, name))));
  return [
    { title: 'raccoon', images: await files(['raccoon', 'images'], raccoons) },
    { title: 'other animal', images: await files(['imagenet'], animals) },
  ];
}

/** `DIR/imagenet` without animals: of neither task. */
export async function readOthers(dir: string): Promise<ImageFile[]> {
  const names = (await readdir(join(dir, 'imagenet'))).filter((name) => name.slice(0, 9) > lastAnimal);
  return Promise.all(names.toSorted().map((name) => imageFile(join(dir, 'imagenet', name))));
}

/** Smaller ones show too little. */
const leastSidePx = 16;

/** What lies in the boxes of `DIR/coco`, written to `outDir`; the classes with most crops first. */
export async function cutCocoCrops(dir: string, outDir: string): Promise<ImageClass[]> {
  await mkdir(outDir, { recursive: true });
  const classes = new Map<number, ImageFile[]>();
  for (const { name, bytes, truths } of await readCoco(dir)) {
    const { width, height } = await openImage(
      { kind: 'bytes', bytes },
      { limits: { maxPixels: 50_000_000 }, detailPx: 0 },
    );
    for (const [index, { classIndex, relative }] of truths.entries()) {
      const left = Math.max(0, Math.round(relative.xMin * width));
      const top = Math.max(0, Math.round(relative.yMin * height));
      const cutWidth = Math.min(width, Math.round(relative.xMax * width)) - left;
      const cutHeight = Math.min(height, Math.round(relative.yMax * height)) - top;
      if (Math.min(cutWidth, cutHeight) < leastSidePx) continue;
      const path = join(outDir, `${name}-${index}.png`);
      const crop = sharp(bytes).extract({ left, top, width: cutWidth, height: cutHeight });
      await writeFile(path, await crop.png().toBuffer());
      classes.set(classIndex, [...(classes.get(classIndex) ?? []), await imageFile(path)]);
    }
  }
  return [...classes]
    .map(([index, images]) => ({ title: `coco ${index}`, images }))
    .sort((a, b) => b.images.length - a.images.length);
}

async function imageFile(path: string): Promise<ImageFile> {
  return {
    path,
    sha256: createHash('sha256')
      .update(await readFile(path))
      .digest('hex'),
  };
}
