import { readFile } from 'node:fs/promises';
import { brotliDecompressSync } from 'node:zlib';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Label } from '../../catalog/manifest.js';
import { backgroundsFolder, readBackgroundPhotos, withoutLabels } from '../background-photos.js';
import { fingerprintOf } from '../fingerprint.js';
import type { AnchorSample } from './anchor-sample.js';
import type { DetectorBackbone } from './cut-detector.js';

/** How the cells of the shipped backgrounds are stored in `coco-ssd.bin`. */
export const CellIndex = Type.Object({
  /** Of the backbone that gave the features; those of another cannot be used. */
  fingerprint: Type.String(),
  /** A byte b is the feature (b / steps)² x maxFeature: small features, which are most of them, keep their differences. */
  maxFeature: Type.Number({ exclusiveMinimum: 0 }),
  steps: Type.Integer({ minimum: 1, maximum: 255 }),
  /** Cells of each level, of every view. */
  cells: Type.Array(Type.Integer({ minimum: 0 })),
});
export type CellIndex = Static<typeof CellIndex>;

/** Cells of one view of a free photograph. */
export interface BackgroundSample extends AnchorSample {
  /** Of its anchors, relative to those of other backgrounds. */
  readonly weight: number;
  /** Of the photograph: views of the same one have the same number. */
  readonly photo: number;
}

export interface Background {
  readonly shows: readonly string[];
  readonly sample: BackgroundSample;
}

/**
 * Cells of free photographs, shipped with the code, so that few images are enough: common objects and scenes
 * need not be photographed for every model.
 * @returns undefined where they are of another backbone.
 */
export async function readBackgrounds(
  backbone: DetectorBackbone,
  at: URL = backgroundsFolder,
): Promise<readonly Background[] | undefined> {
  const index = Value.Parse(CellIndex, JSON.parse(await readFile(new URL('coco-ssd.json', at), 'utf8')));
  if (index.fingerprint !== fingerprintOf(backbone)) return undefined;
  const photos = await readBackgroundPhotos(at);
  const bytes = brotliDecompressSync(await readFile(new URL('coco-ssd.bin', at)));
  const { maxFeature, steps, cells } = index;
  const features = Float32Array.from({ length: 256 }, (_, byte) => (byte / steps) ** 2 * maxFeature);
  let from = 0;
  return photos.flatMap(({ shows, weight, views }, photo) =>
    Array.from({ length: views }, () => ({
      shows,
      sample: {
        weight,
        photo,
        ownLogits: new Map(),
        levels: backbone.levels.map(({ dims }, level) => {
          const length = (cells[level] ?? 0) * dims;
          const part = bytes.subarray(from, from + length);
          from += length;
          return Float32Array.from(part, (byte) => features[byte] ?? 0);
        }),
      },
    })),
  );
}

/** Those whose words match no label. */
export function backgroundsFor(
  backgrounds: readonly Background[],
  labels: readonly Label[],
): BackgroundSample[] {
  return withoutLabels(backgrounds, labels).map(({ sample }) => sample);
}
