import { expect, test } from 'vitest';
import { openProducts } from '../products.js';
import type { ExtractedImage } from './extract-anchors.js';
import { quarters, quartersBackbone } from './fixtures/quarters.js';
import { scoreAnchors } from './head.js';
import { judgeScores } from './judge-scores.js';
import { learnAndMeasure } from './learn-and-measure.js';
import { trainHeads } from './train-heads.js';

/** Four features: cat, dog, something else, and always 1. */
const backbone = quartersBackbone(4);
const [cat, dog] = [0, 1];
type Marks = 'marked' | 'unmarked';

/** A cat in one quarter and a dog in the next one, whose label is there or lost. */
function showingBoth(at: number, dogs: 'labelled' | 'lost', marks: Marks): ExtractedImage {
  const [catAt, dogAt] = [at % 4, (at + 1) % 4];
  const features = quarters.flatMap((_, index) => [
    Number(index === catAt),
    Number(index === dogAt),
    Number(index === (at + 2) % 4),
    1,
  ]);
  const anchors = { levels: [Float32Array.from(features)], corners: Float32Array.from(quarters.flat()) };
  const truths = [
    { label: cat, corners: quarters[catAt] ?? quarters[0] },
    { label: dog, corners: quarters[dogAt] ?? quarters[0] },
  ];
  const isPartlyLabelled = dogs === 'lost' && marks === 'marked';
  return {
    image: { id: `${dogs}-${at}`, path: '', sha256: '', split: 'train', boxes: [], isPartlyLabelled },
    width: 100,
    height: 100,
    truths: truths.filter(({ label }) => label === cat || dogs === 'labelled'),
    anchors: () => anchors,
  };
}

/** Half of the dogs have lost their label. */
const halfLost = (marks: Marks) =>
  Array.from({ length: 16 }, (_, at) =>
    showingBoth(Math.floor(at / 2), at % 2 === 0 ? 'labelled' : 'lost', marks),
  );

async function scoresOf(images: readonly ExtractedImage[]) {
  const products = await openProducts();
  const lesson = { products, images, backgrounds: [], labels: 2, seed: 1, onStep() {} };
  const heads = await trainHeads(backbone, lesson).finally(() => products.close());
  const asked = showingBoth(0, 'labelled', 'unmarked').anchors();
  return heads.map((head) => [...scoreAnchors(backbone, head, asked)]);
}

test('a class whose labels are lost in half of the images is not learnt as background', async () => {
  const [marked, unmarked] = [await scoresOf(halfLost('marked')), await scoresOf(halfLost('unmarked'))];
  const dogAt = 1;
  expect(unmarked[dog]?.[dogAt]).toBeLessThan(0.5);
  expect(marked[dog]?.[dogAt]).toBeGreaterThan((unmarked[dog]?.[dogAt] ?? 0) + 0.5);
});

test('the known boxes of other classes in such images are still learnt as other', async () => {
  const onlyLost = Array.from({ length: 8 }, (_, at) => showingBoth(at, 'lost', 'marked'));
  const aDog = { ...showingBoth(0, 'labelled', 'unmarked'), truths: [{ label: dog, corners: quarters[1] }] };
  const isPartlyLabelled = true;
  const [, dogs] = await scoresOf([...onlyLost, { ...aDog, image: { ...aDog.image, isPartlyLabelled } }]);
  expect(dogs?.[0]).toBeLessThan((dogs?.[1] ?? 0) - 1);
});

const learn = async (images: readonly ExtractedImage[]) => {
  const products = await openProducts();
  const job = {
    ...({ kind: 'object_detection', title: '', cacheDir: '', outDir: '', seed: 1, images: [] } as const),
    labels: ['cat', 'dog'].map((title) => ({ id: title, title })),
    backbone: { id: '', version: '', dir: '' },
    limits: { maxPixels: 1 },
  };
  const material = { products, images, backgrounds: [], refused: [], second: undefined };
  return learnAndMeasure(backbone, job, material, { onProgress() {} }).finally(() => products.close());
};

test('what is found beside the labels of such images is no false box of the report', async () => {
  const { figures } = await learn(halfLost('marked'));
  expect(figures.measuredOn).toEqual({ images: 8, boxes: 16 });
  expect(figures.overall.precision).toBe(1);
  expect(figures.mistakes).toEqual([]);
  const { figures: misled } = await learn(halfLost('unmarked'));
  expect(misled.measuredOn.images).toBe(16);
  expect(misled.mistakes).not.toEqual([]);
});

test('where every image lost labels scores are calibrated by those that are left, and nothing is measured', async () => {
  const images = Array.from({ length: 8 }, (_, at) => showingBoth(at, 'lost', 'marked'));
  const found = images.map((image) => ({
    image,
    found: [
      { label: cat, score: 2, corners: image.truths[0]?.corners ?? quarters[0] },
      { label: dog, score: 1, corners: quarters[3] },
    ],
  }));
  const { scores, truths } = judgeScores({ images: found, backgrounds: [] });
  expect(scores).toEqual(images.map(() => ({ score: 2, isRight: true, weight: 1 })));
  expect(truths).toBe(8);
  expect((await learn(images)).figures.labels.map(({ figures }) => figures)).toEqual([null, null]);
});
