import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AskFaces } from '../ask-faces.js';
import type { Portrait } from '../people.js';

/** Pixels from which a face of a photograph of something else is as good as one of a portrait. */
const minFacePx = 50;
/** Offsets of WordNet that ImageNet's animals have; theirs are no people's faces. */
const lastAnimal = 2_600_000;

/**
 * One photograph each of more people: those of `DIR/coco/images` and `DIR/imagenet` whose largest face is large and without a
 * problem. Whoever is in another photograph is taken for another person, so they are for pairs of strangers alone.
 */
export async function readBystanders(dir: string, ask: AskFaces): Promise<Portrait[]> {
  const found: Portrait[] = [];
  for (const folder of ['coco/images', 'imagenet']) {
    for (const file of (await readdir(join(dir, folder))).sort()) {
      if (!/\.jpe?g$/i.test(file) || showsAnimal(file)) continue;
      const bytes = await readFile(join(dir, folder, file));
      const [face] = await ask(bytes);
      if (face === undefined || face.quality.sizePx < minFacePx || face.quality.problems.length > 0) continue;
      found.push({ name: `${folder}/${file}`, person: file, bytes });
    }
  }
  return found;
}

function showsAnimal(file: string): boolean {
  const [, offset] = /^n(\d{8})_/.exec(file) ?? [];
  return offset !== undefined && Number(offset) < lastAnimal;
}
