import { readFile } from 'node:fs/promises';
import { brotliDecompressSync } from 'node:zlib';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Label } from '../../catalog/manifest.js';
import { backgroundsFolder, readBackgroundPhotos, withoutLabels } from '../background-photos.js';
import type { Backbone } from '../cut-backbone.js';
import { fingerprintOf } from '../fingerprint.js';
import type { Matrix } from './matrix.js';

/** How the features of the shipped photographs are stored in `inception-v3.bin`: a signed byte each, 127 is `largest`. */
export const PooledIndex = Type.Object({
  /** Of the backbone that gave the features; those of another cannot be used. */
  fingerprint: Type.String(),
  dims: Type.Integer({ minimum: 1 }),
  largest: Type.Number({ exclusiveMinimum: 0 }),
});
export type PooledIndex = Static<typeof PooledIndex>;

/** Features of shipped photographs, a row each. */
export interface PooledBackgrounds extends Matrix<Float32Array> {
  /** Of each row: the number of its photograph among all, and its weight in the training of a detector. */
  readonly photos: readonly { readonly photo: number; readonly weight: number }[];
}

/** Those that show no label. @returns undefined where they are of another backbone. */
export async function readPooledBackgrounds(
  backbone: Backbone,
  labels: readonly Label[],
  at: URL = backgroundsFolder,
): Promise<PooledBackgrounds | undefined> {
  const index = Value.Parse(
    PooledIndex,
    JSON.parse(await readFile(new URL('inception-v3.json', at), 'utf8')),
  );
  if (index.fingerprint !== fingerprintOf(backbone)) return undefined;
  const { dims, largest } = index;
  const bytes = brotliDecompressSync(await readFile(new URL('inception-v3.bin', at)));
  const stored = new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length);
  const all = (await readBackgroundPhotos(at)).map((photo, row) => ({ ...photo, row }));
  const rows = withoutLabels(all, labels);
  const data = new Float32Array(rows.length * dims);
  rows.forEach(({ row }, to) => {
    for (let dim = 0; dim < dims; dim++)
      data[to * dims + dim] = ((stored[row * dims + dim] ?? 0) / 127) * largest;
  });
  const photos = rows.map(({ row, weight }) => ({ photo: row, weight }));
  return { data, rows: rows.length, columns: dims, photos };
}
