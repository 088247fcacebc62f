import { expect, test } from 'vitest';
import type { Image } from '../../image/image.js';
import type { LoadedModel, Tensor } from '../task.js';
import { searchImage } from './search.js';

interface Seen {
  readonly width: number;
  readonly height: number;
  readonly threshold: number;
}

/** Answers, of each view, the scores that `scoresOf` gives, each with a box of a hundredth of its sides in the middle. */
function createDetector(scoresOf: (seen: Seen) => readonly number[]): { model: LoadedModel; seen: Seen[] } {
  const seen: Seen[] = [];
  const run = async ({ image, score_threshold: threshold }: Readonly<Record<string, Tensor>>) => {
    const [, height = 0, width = 0] = image?.dims ?? [];
    const view = { width, height, threshold: Number(threshold?.data[0]) };
    seen.push(view);
    const scores = scoresOf(view).filter((score) => score >= view.threshold);
    return {
      boxes: {
        data: Float32Array.from(scores.flatMap(() => [0.495, 0.495, 0.505, 0.505])),
        dims: [scores.length, 4],
      },
      scores: { data: Float32Array.from(scores), dims: [scores.length] },
    };
  };
  const manifest = { id: 'test', input: { fit: 'free', multiple: 32 } };
  return { model: { ref: { id: 'test', version: '1' }, manifest, run } as unknown as LoadedModel, seen };
}

function createImage(width: number, height: number): Image {
  const raster = async (asked: { width: number; height: number }) =>
    new Uint8Array(asked.width * asked.height * 3);
  return { width, height, raster } as unknown as Image;
}

const large = createImage(2560, 1920);

test('without a trace of a face, an image is looked at whole and in half the scale', async () => {
  const { model, seen } = createDetector(() => []);
  expect(await searchImage(model, large, { scale: 1, minScore: 0.8 })).toEqual([]);
  expect(seen.map(({ width, height }) => [width, height])).toEqual([
    [640, 480],
    [1280, 960],
  ]);
});

test('where there is a trace, a small part is looked at in full, and only what is sure is answered', async () => {
  const { model, seen } = createDetector(({ width }) =>
    width === 1280 ? [0.13] : width < 300 ? [0.9, 0.5] : [],
  );
  const faces = await searchImage(model, large, { scale: 1, minScore: 0.8 });
  expect(seen).toHaveLength(3);
  expect(faces.map(({ score }) => Math.round(score * 100))).toEqual([90]);
  expect(faces[0]?.frame.centre.x).toBeCloseTo(1280, -2);
});

test('a small image is looked at once', async () => {
  const { model, seen } = createDetector(() => [0.9]);
  expect(await searchImage(model, createImage(600, 400), { scale: 1, minScore: 0.8 })).toHaveLength(1);
  expect(seen).toHaveLength(1);
});

test('a view with more traces than the detector answers is looked at in full', async () => {
  const { model, seen } = createDetector(({ width }) =>
    width === 1280 ? new Array<number>(1000).fill(0.13) : [],
  );
  await searchImage(model, large, { scale: 1, minScore: 0.8 });
  const area = seen.slice(2).reduce((sum, { width, height }) => sum + width * height, 0);
  expect(area).toBeGreaterThanOrEqual(2560 * 1920);
});
