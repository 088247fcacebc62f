import { expect, test } from 'vitest';
import { brokenGuarantees } from './broken-guarantees.js';
import type { TripFigures } from './round-trip.js';

const held = {
  perceptions: 1,
  people: 2,
  images: 3,
  embeddings: 3,
  corrections: 1,
  changes: 3,
  imageFiles: 3,
  imageBytes: 900,
  databaseBytes: 100_000,
};
const nothing = {
  perceptions: 0,
  people: 0,
  images: 0,
  embeddings: 0,
  corrections: 0,
  changes: 0,
  imageFiles: 0,
  imageBytes: 0,
  databaseBytes: 100_000,
};
const command = { stdout: '', seconds: 1, peakBytes: 1 };
const good: TripFigures = {
  withoutFace: 0,
  enrolSeconds: 1,
  archiveBytes: 2000,
  exported: command,
  imported: command,
  deleteSeconds: 1,
  held,
  receipt: { people: 2, images: 3, embeddings: 3, corrections: 1, image_bytes: 900 },
  left: nothing,
  readable: { before: 3, after: 0, of: 3 },
  arrived: { ...held, perceptions: 2, changes: 4 },
  searches: 1,
  hits: 1,
  different: [],
  memory: { started: [], enrolled: [], deleted: [], arrived: [] },
};

test('a round trip without loss breaks no guarantee', () => {
  expect(brokenGuarantees(good)).toEqual([]);
});

test('each record that is left, lost, miscounted or answered differently is reported', () => {
  const bad: TripFigures = {
    ...good,
    receipt: { ...good.receipt, images: 2 },
    left: { ...nothing, embeddings: 1, imageFiles: 1 },
    readable: { before: 3, after: 2, of: 3 },
    arrived: { ...held, images: 2 },
    different: ['search 7: a and then b'],
  };
  expect(brokenGuarantees(bad)).toEqual([
    'the receipt has 2 images, not 3',
    'what is left has 1 embeddings, not 0',
    'what is left has 1 imageFiles, not 0',
    'the database on disk has 2 readable vectors, not 0',
    'what arrived has 2 images, not 3',
    'search 7: a and then b',
  ]);
});
