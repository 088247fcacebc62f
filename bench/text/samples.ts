import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { addErrors, type CharacterErrors, noErrors } from './character-error.js';
import { anglesDeg, backgrounds, type Drawing, drawText, fewSizesPx, sizesPx } from './draw.js';
import type { Reader } from './readers.js';
import { type Script, scripts } from './scripts.js';

/** A drawing whose text is known. */
export interface Sample extends Drawing {
  readonly script: Script;
}

/** What a reader made of a sample. */
export interface Outcome {
  readonly sample: Sample;
  readonly text: string;
  readonly ms: number;
}

export interface TextBenchOptions {
  readonly data: string | undefined;
  /** Letters of every size, 240 images; without it of three sizes, 144 images. */
  readonly all: boolean;
}

/** The first photograph of the data; null where there is none. */
export async function findPhoto(data: string | undefined): Promise<Buffer | null> {
  const folder = data && join(data, 'coco', 'images');
  if (!folder || !existsSync(folder)) return null;
  const [name] = (await readdir(folder)).filter((file) => file.endsWith('.jpg')).sort();
  return name ? readFile(join(folder, name)) : null;
}

/** Every script in every size, on every background, at every angle; the fonts alternate. */
export function listSamples(photo: Buffer | null, all: boolean): Sample[] {
  const sizes = all ? sizesPx : fewSizesPx;
  const samples: Sample[] = [];
  for (const script of scripts) {
    for (const [sizeIndex, sizePx] of sizes.entries()) {
      for (const background of backgrounds) {
        for (const angleDeg of anglesDeg) {
          const font = script.fonts[(samples.length + sizeIndex) % script.fonts.length];
          if (!font) throw new Error(`there is no font for ${script.name}`);
          samples.push({ script, lines: script.lines, font, sizePx, background, angleDeg, photo });
        }
      }
    }
  }
  return samples;
}

/** Outcomes of each reader. The readers alternate image by image, so that the times compare on a busy machine too. */
export async function readSamples(
  samples: readonly Sample[],
  readers: readonly Reader[],
): Promise<Outcome[][]> {
  const outcomes = readers.map((): Outcome[] => []);
  for (const sample of samples) {
    const image = await drawText(sample);
    for (const [index, read] of readers.entries()) {
      const start = performance.now();
      const text = await read(image);
      outcomes[index]?.push({ sample, text, ms: performance.now() - start });
    }
  }
  return outcomes;
}

export const sampleGroups: readonly (readonly [heading: string, nameOf: (sample: Sample) => string])[] = [
  ['text', ({ script }) => script.name],
  ['size', ({ sizePx }) => `${sizePx} px`],
  ['background', ({ background }) => background],
  ['turned by', ({ angleDeg }) => `${angleDeg} degrees`],
];

export function isPlain({ background, angleDeg }: Sample): boolean {
  return background === 'black on white' && angleDeg === 0;
}

export function sumErrors(outcomes: readonly Outcome[]): CharacterErrors {
  const sums = noErrors();
  for (const { sample, text } of outcomes) addErrors(sums, sample.lines.join(' '), text);
  return sums;
}
