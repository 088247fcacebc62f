import { writeSearchSummary } from '#server/recognition/record.js';

/** The record of an image with twelve objects, five classes, four texts and two faces: the size of that of a street scene. */
const box = (at: number) => ({
  left: 0.1234567 + at / 100,
  top: 0.2345678 + at / 100,
  width: 0.3456789,
  height: 0.1987654,
});
const label = (at: number) => ({ id: `label-${at}`, title: `Title of label ${at}` });
const several = <T>(count: number, make: (at: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, at) => make(at));

const models = [
  { id: 'coco', version: '1', sha256: 'a'.repeat(64) },
  { id: 'imagenet', version: '1', sha256: 'b'.repeat(64) },
  { id: 'text', version: '2', sha256: 'c'.repeat(64) },
];

export const sampleRecord = {
  image: { kind: 'jpeg', width: 1920, height: 1280 },
  models,
  calibration: 'coco-ssd+centernet-coco/2',
  options: [{ task: 'detect', threshold: 0.4, detail: 'normal' }, { task: 'classify' }, { task: 'text' }],
  timingsMs: { decode: 12.3456, detect: 123.4567, classify: 45.6789, text: 234.5678 },
  result: {
    objects: several(12, (at) => ({ label: label(at), score: 0.987654 - at / 50, box: box(at) })),
    classes: several(5, (at) => ({ label: label(at + 20), score: 0.87654 - at / 10 })),
    texts: several(4, (at) => ({ text: `A line of "text" ${at}`, score: 0.9, box: box(at) })),
    faces: several(2, (at) => ({
      box: box(at),
      score: 0.99,
      points: several(5, (point) => ({ x: 0.1 * point, y: 0.2 * point })),
    })),
  },
};

export const sampleSummary = writeSearchSummary(
  several(8, (at) => label(at).title),
  models,
);
