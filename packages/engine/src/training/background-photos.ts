import { readFile } from 'node:fs/promises';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Label } from '../catalog/manifest.js';

/** Free photographs of common objects and scenes, of which features are shipped with the code. */
export const BackgroundPhotos = Type.Array(
  Type.Object({
    name: Type.String(),
    /** Package, its version, and the file in it. */
    origin: Type.String(),
    licence: Type.String(),
    author: Type.String(),
    /** Where the package has it from, where it says so. */
    source: Type.Optional(Type.String()),
    /** Words for its content, lower case; for a label of such a name it is no background. */
    shows: Type.Array(Type.String()),
    /** Of each of its views in the training of a detector, relative to those of others. */
    weight: Type.Number({ exclusiveMinimum: 0, maximum: 1 }),
    /** Number of views that a detector's features are of: the whole, then parts of it. */
    views: Type.Integer({ minimum: 1 }),
  }),
);
export type BackgroundPhotos = Static<typeof BackgroundPhotos>;

export const backgroundsFolder = new URL('../../assets/backgrounds/', import.meta.url);

export async function readBackgroundPhotos(at: URL = backgroundsFolder): Promise<BackgroundPhotos> {
  return Value.Parse(BackgroundPhotos, JSON.parse(await readFile(new URL('photos.json', at), 'utf8')));
}

/** Those whose words match no label. */
export function withoutLabels<Photo extends { readonly shows: readonly string[] }>(
  photos: readonly Photo[],
  labels: readonly Label[],
): Photo[] {
  const words = new Set(
    labels.flatMap(({ title }) => title.toLowerCase().split(/[^\p{L}\p{N}]+/u)).flatMap(singular),
  );
  return photos.filter(({ shows }) => !shows.some((word) => words.has(word)));
}

/** A word, and its possible singular. */
function singular(word: string): string[] {
  return [word, word.replace(/s$/, ''), word.replace(/es$/, ''), word.replace(/ies$/, 'y')];
}
