import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import type { PlantedImage } from '#server/streams/videos/fixtures/render-film.js';
import type { CutOut } from '../tracking/cut-outs.js';
import { between } from '../tracking/random.js';
import type { SeenInterval } from './score-timeline.js';

export const filmSize = { width: 1280, height: 720 } as const;
export const segmentSeconds = 10;

/** A portrait of somebody whom other portraits were enrolled of, or of a stranger. */
export interface Portrait {
  /** Null: a stranger. */
  readonly name: string | null;
  readonly path: string;
}

/** Ten seconds of a film. */
export interface Segment {
  /** Of an image. */
  readonly background: string;
  readonly images: readonly PlantedImage[];
  /** By seconds of the whole film. */
  readonly objects: readonly SeenInterval[];
  readonly people: readonly SeenInterval[];
  readonly texts: readonly SeenInterval[];
}

export interface FilmMaterial {
  readonly dir: string;
  readonly random: () => number;
  readonly cutOuts: readonly CutOut[];
  readonly backgrounds: readonly Buffer[];
  readonly portraits: readonly Portrait[];
  /** An image of each text, by the text. */
  readonly texts: readonly { readonly text: string; readonly path: string }[];
}

/** A film in which an object crosses, a portrait stands and, in every third part, a sign hangs. */
export async function planFilm(material: FilmMaterial, segments: number): Promise<Segment[]> {
  const planned: Segment[] = [];
  for (let index = 0; index < segments; index += 1) planned.push(await planSegment(material, index));
  return planned;
}

async function planSegment(material: FilmMaterial, index: number): Promise<Segment> {
  const { dir, random, cutOuts, backgrounds, portraits, texts } = material;
  const at = index * segmentSeconds;
  const cutOut = cutOuts[Math.floor(random() * cutOuts.length)];
  const portrait = portraits[index % portraits.length];
  const background = backgrounds[index % backgrounds.length];
  if (!cutOut || !portrait || !background) throw new Error('There is too little to make a film of.');
  const paths = { object: join(dir, `object-${index}.png`), background: join(dir, `back-${index}.png`) };
  await writeFile(paths.object, cutOut.png);
  await sharp(background)
    .resize({ ...filmSize, fit: 'fill' })
    .png()
    .toFile(paths.background);

  const object = time(random, 4, 7);
  const heightPx = 2 * Math.round(between(random, 110, 170));
  const y = between(random, 20, 300);
  const isRightwards = random() < 0.5;
  const ends = [
    [20, y],
    [560, y + between(random, -20, 80)],
  ] as const;
  const person = time(random, 4, 7);
  const isSigned = index % 3 === 0 && texts.length > 0;
  const sign = texts[Math.floor(index / 3) % Math.max(1, texts.length)];
  const signed = time(random, 4, 7);
  const seen = (key: string, { fromSeconds, toSeconds }: Times): SeenInterval => ({
    ...{ key, startSeconds: at + fromSeconds, endSeconds: at + toSeconds },
  });
  return {
    background: paths.background,
    images: [
      {
        ...{ path: paths.object, heightPx, ...object },
        ...{ from: ends[isRightwards ? 0 : 1], to: ends[isRightwards ? 1 : 0] },
      },
      { path: portrait.path, heightPx: 420, ...person, from: [860, 60] },
      ...(isSigned && sign ? [{ path: sign.path, heightPx: 90, ...signed, from: [300, 610] } as const] : []),
    ],
    objects: [seen(cutOut.title, object), seen('person', person)],
    people: portrait.name === null ? [] : [seen(portrait.name, person)],
    texts: isSigned && sign ? [seen(sign.text, signed)] : [],
  };
}

interface Times {
  readonly fromSeconds: number;
  readonly toSeconds: number;
}

/** A time within a segment, apart from its ends so that the next one shows something else. */
function time(random: () => number, leastSeconds: number, mostSeconds: number): Times {
  const length = between(random, leastSeconds, mostSeconds);
  const fromSeconds = between(random, 0.5, segmentSeconds - 1 - length);
  const tenths = (seconds: number) => Math.round(seconds * 10) / 10;
  return { fromSeconds: tenths(fromSeconds), toSeconds: tenths(fromSeconds + length) };
}
