import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Box } from '@lynceus/engine';

export interface LabelledPhoto {
  readonly name: string;
  readonly bytes: Buffer;
  /** Class index and corners relative to the image, 0 to 1. */
  readonly truths: readonly { readonly classIndex: number; readonly relative: Box }[];
}

/** `DIR/coco/images/*.jpg` with YOLO labels in `DIR/coco/labels/*.txt`: class cx cy w h, relative. */
export async function readCoco(dir: string): Promise<LabelledPhoto[]> {
  const images = join(dir, 'coco', 'images');
  const labels = join(dir, 'coco', 'labels');
  const labelled = new Set(await readdir(labels));
  const names = (await readdir(images)).filter((name) => name.endsWith('.jpg')).sort();
  return Promise.all(
    names.map(async (name) => {
      const labelFile = `${basename(name, '.jpg')}.txt`;
      const text = labelled.has(labelFile) ? await readFile(join(labels, labelFile), 'utf8') : '';
      return {
        name,
        bytes: await readFile(join(images, name)),
        truths: text.trim().split('\n').filter(Boolean).map(parseYolo),
      };
    }),
  );
}

function parseYolo(line: string): LabelledPhoto['truths'][number] {
  const [classIndex = 0, x = 0, y = 0, width = 0, height = 0] = line.trim().split(/\s+/).map(Number);
  return {
    classIndex,
    relative: { xMin: x - width / 2, yMin: y - height / 2, xMax: x + width / 2, yMax: y + height / 2 },
  };
}

export interface ClassPhoto {
  readonly name: string;
  readonly bytes: Buffer;
  /** WordNet id, such as `n02510455`. */
  readonly classId: string;
}

/** `DIR/imagenet/n########_Title.JPEG`. */
export async function readImageNet(dir: string): Promise<ClassPhoto[]> {
  const folder = join(dir, 'imagenet');
  const names = (await readdir(folder)).filter((name) => /^n\d{8}_/.test(name)).sort();
  return Promise.all(
    names.map(async (name) => ({
      name,
      bytes: await readFile(join(folder, name)),
      classId: name.slice(0, 9),
    })),
  );
}
