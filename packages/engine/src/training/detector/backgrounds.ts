import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { brotliDecompressSync } from 'node:zlib';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Label } from '../../catalog/manifest.js';
import type { AnchorSample } from './anchor-sample.js';
import type { DetectorBackbone } from './cut-detector.js';

/**
 * Cells of free photographs, shipped with the code, so that few images are enough: common objects and scenes
 * need not be photographed for every model. `assets/backgrounds/` lists the photographs.
 */
export const BackgroundIndex = Type.Object({
  /** Of the backbone that gave the features; those of another cannot be used. */
  fingerprint: Type.String(),
  /** Features are bytes: 0 is 0, 255 is this. */
  maxFeature: Type.Number({ exclusiveMinimum: 0 }),
  images: Type.Array(
    Type.Object({
      name: Type.String(),
      /** Package, its version, and the file in it. */
      origin: Type.String(),
      licence: Type.String(),
      author: Type.String(),
      /** Words for its content, lower case; for a label of such a name it is no background. */
      shows: Type.Array(Type.String()),
      /** Cells of each level. */
      cells: Type.Array(Type.Integer({ minimum: 0 })),
    }),
  ),
});
export type BackgroundIndex = Static<typeof BackgroundIndex>;

export interface Background {
  readonly shows: readonly string[];
  readonly sample: AnchorSample;
}

const folder = new URL('../../../assets/backgrounds/', import.meta.url);

/** @returns undefined where they are of another backbone. */
export async function readBackgrounds(
  backbone: DetectorBackbone,
  at: URL = folder,
): Promise<readonly Background[] | undefined> {
  const index = Value.Parse(
    BackgroundIndex,
    JSON.parse(await readFile(new URL('coco-ssd.json', at), 'utf8')),
  );
  if (index.fingerprint !== fingerprintOf(backbone)) return undefined;
  const bytes = brotliDecompressSync(await readFile(new URL('coco-ssd.bin', at)));
  const scale = index.maxFeature / 255;
  let from = 0;
  return index.images.map(({ shows, cells }) => ({
    shows,
    sample: {
      ownLogits: new Map(),
      levels: backbone.levels.map(({ dims }, level) => {
        const length = (cells[level] ?? 0) * dims;
        const part = bytes.subarray(from, from + length);
        from += length;
        return Float32Array.from(part, (byte) => byte * scale);
      }),
    },
  }));
}

/** Those whose words match no label. */
export function backgroundsFor(backgrounds: readonly Background[], labels: readonly Label[]): AnchorSample[] {
  const words = new Set(
    labels.flatMap(({ title }) => title.toLowerCase().split(/[^\p{L}\p{N}]+/u)).flatMap(singular),
  );
  return backgrounds
    .filter(({ shows }) => !shows.some((word) => words.has(word)))
    .map(({ sample }) => sample);
}

/** A word, and its possible singular. */
function singular(word: string): string[] {
  return [word, word.replace(/s$/, ''), word.replace(/es$/, ''), word.replace(/ies$/, 'y')];
}

/** Fingerprint of all weights that features and boxes are computed with, independent of their order and names. */
export function fingerprintOf({ model }: DetectorBackbone): string {
  const parts = (model.graph.initializer ?? [])
    .map(({ rawData = new Uint8Array() }) => createHash('sha256').update(rawData).digest('hex'))
    .sort();
  return createHash('sha256').update(parts.join()).digest('hex');
}
