import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A drawing of ours: a stop sign before trees, 640 x 480. */
export const samplePath = fileURLToPath(
  new URL('../../../packages/server/assets/sample.jpg', import.meta.url),
);
export const sample = readFileSync(samplePath);

/** Where the sign was drawn, to the pixel. */
export const signBox = { xmin: 315, ymin: 65, xmax: 485, ymax: 235 };

/** Parts of a multipart body with one file. */
export function upload(bytes: Uint8Array, name = 'image', type = 'application/octet-stream'): FormData {
  const form = new FormData();
  form.append(name, new Blob([bytes], { type }), 'image');
  return form;
}
