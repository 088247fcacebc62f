import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { BoxedImage } from '@lynceus/engine';
import { lastAnimal } from '../training/images.js';

/** `DIR/raccoon/images/*.jpg` with Pascal VOC in `DIR/raccoon/annotations/*.xml`. */
export async function readRaccoons(data: string): Promise<BoxedImage[]> {
  const images = join(data, 'raccoon', 'images');
  const names = (await readdir(images)).filter((name) => name.endsWith('.jpg')).sort();
  return Promise.all(
    names.map(async (name) => {
      const id = basename(name, '.jpg');
      const xml = await readFile(join(data, 'raccoon', 'annotations', `${id}.xml`), 'utf8');
      return { ...(await imageAt(join(images, name), id)), boxes: boxesIn(xml) };
    }),
  );
}

/** `DIR/coco/images/*.jpg`: none shows a raccoon. */
export async function readUnrelated(data: string): Promise<BoxedImage[]> {
  const images = join(data, 'coco', 'images');
  const names = (await readdir(images)).filter((name) => name.endsWith('.jpg')).sort();
  return Promise.all(
    names.map(async (name) => ({ ...(await imageAt(join(images, name), name)), boxes: [] })),
  );
}

/** `DIR/imagenet/*.JPEG` of animals: ImageNet's classes have no raccoon. */
export async function readAnimals(data: string): Promise<BoxedImage[]> {
  const images = join(data, 'imagenet');
  const names = (await readdir(images))
    .filter((name) => name.slice(0, lastAnimal.length) <= lastAnimal)
    .sort();
  return Promise.all(
    names.map(async (name) => ({ ...(await imageAt(join(images, name), name)), boxes: [] })),
  );
}

export async function imageAt(path: string, id: string): Promise<Omit<BoxedImage, 'boxes'>> {
  const sha256 = createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
  return { id, path, sha256, split: 'train' };
}

function boxesIn(xml: string): BoxedImage['boxes'] {
  return [...xml.matchAll(/<bndbox>(.*?)<\/bndbox>/gs)].map(([, body = '']) => {
    const side = (name: string) => Number(new RegExp(`<${name}>([\\d.]+)<`).exec(body)?.[1]);
    const box = { xMin: side('xmin'), yMin: side('ymin'), xMax: side('xmax'), yMax: side('ymax') };
    return { label: 0, box };
  });
}
