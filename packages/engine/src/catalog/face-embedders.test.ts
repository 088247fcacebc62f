import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readEntries } from './read-entries.js';

const shipped = fileURLToPath(new URL('../../models/', import.meta.url));

/**
 * Vectors of two versions of a model are compared with each other until every image is embedded again, with one decision point.
 * They may be, because versions are the same network on the same input, converted by another program or with other labels. Another
 * network or input is another model, with an id of its own; the lines here are then added to, and never changed.
 */
test('a face embedder has the network and the input that its id always had', async () => {
  const { models } = await readEntries(shipped, join(tmpdir(), 'no-entries-of-their-own'));
  const embedders = models.filter(({ entry }) => entry.family === 'face-embedder');
  const pinned = embedders.map(({ entry: { id, source, input } }) => [
    id,
    ...source.files.map(({ name, sha256 }) => `${name} ${sha256}`),
    `input ${createHash('sha256').update(JSON.stringify(input)).digest('hex')}`,
  ]);
  expect(pinned).toEqual([
    [
      'dlib-resnet',
      'face_recognition_model-weights_manifest.json cbaffa501b0b9275a12b63357a6843e7e30c054e1c9151e1a5f879b26e32986b',
      'face_recognition_model.bin b413e420d6840b2775fba32008db6f3cddb07d485967fb42cfcf379c16a8c589',
      'input a2f79624776e283a90310bb6638bbb5709cf54925ffd0143b75ec61e783e0a05',
    ],
    [
      'fr-feature',
      'fr_feature.onnx 87aacdfe57510db2af90c0251df680e8eec88f122ee94712121d09bcaaaf3581',
      'input b013e757a8d5aeb6b0acef9f93da8fc4b9f3230b5453c76e0f28e593032449a3',
    ],
  ]);
});
