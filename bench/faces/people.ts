import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface Portrait {
  readonly name: string;
  readonly person: string;
  readonly bytes: Buffer;
}

/** `DIR/faces/PERSON/*.jpg`, photographs of one person a folder; the largest face is the person's. */
export async function readPeople(dir: string): Promise<Portrait[]> {
  const root = join(dir, 'faces');
  const portraits: Portrait[] = [];
  for (const person of (await readdir(root)).sort()) {
    for (const name of (await readdir(join(root, person))).sort()) {
      if (!/\.(jpe?g|png|webp)$/i.test(name)) continue;
      portraits.push({ name: `${person}/${name}`, person, bytes: await readFile(join(root, person, name)) });
    }
  }
  return portraits;
}
