import {
  averagePrecision,
  type Box,
  type EvaluatedImage,
  type Judgement,
  judge,
  workingPoint,
} from '@lynceus/engine';
import { concurrently } from '../concurrently.js';
import { bootstrapInterval } from './bootstrap.js';
import type { LabelledPhoto } from './datasets.js';

export interface FoundObject {
  /** Index into COCO's 80 classes. */
  readonly classIndex: number;
  readonly score: number;
  readonly box: Box;
}

export interface PhotoAnswer {
  readonly width: number;
  readonly height: number;
  /** Best first. */
  readonly objects: readonly FoundObject[];
}

/** How one detector answers one photograph: through the engine or through HTTP. */
export type AskDetector = (
  bytes: Buffer,
  thresholds: { readonly minScore: number; readonly nmsIou: number },
) => Promise<PhotoAnswer>;

export interface DetectorFigures {
  readonly ap: number;
  readonly ap50: number;
  /** At the thresholds that clients send, .4 and .45. */
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
  /** The score with the best F1, and that F1. */
  readonly bestScore: number;
  readonly bestF1: number;
}

const classCount = 80;

/** COCO's figures, from all detections, suppressed at IoU .6. */
export async function evaluateDetector(
  photos: readonly LabelledPhoto[],
  ask: AskDetector,
): Promise<{ readonly figures: DetectorFigures; readonly judgement: Judgement }> {
  const all = judge(await askAll(photos, ask, { minScore: 0, nmsIou: 0.6 }), classCount);
  const sent = judge(await askAll(photos, ask, { minScore: 0, nmsIou: 0.45 }), classCount);
  const { ap, ap50 } = averagePrecision(all);
  const best = Array.from({ length: 99 }, (_, index) => (index + 1) / 100)
    .map((score) => ({ score, f1: workingPoint(sent, score).f1 }))
    .reduce((a, b) => (b.f1 > a.f1 ? b : a));
  const figures: DetectorFigures = {
    ap,
    ap50,
    ...workingPoint(sent, 0.4),
    bestScore: best.score,
    bestF1: best.f1,
  };
  return { figures, judgement: all };
}

/** How much better `a` is than `b` on the same photographs: the difference with its 95 % interval. */
export function compareDetectors(a: Judgement, b: Judgement, figure: 'ap' | 'ap50') {
  const difference = (weights?: readonly number[]) =>
    averagePrecision(a, weights)[figure] - averagePrecision(b, weights)[figure];
  return { difference: difference(), interval: bootstrapInterval(a.images, difference) };
}

/** Answers beside the labelled boxes of each photograph. */
export async function askAll(
  photos: readonly LabelledPhoto[],
  ask: AskDetector,
  thresholds: Parameters<AskDetector>[1],
): Promise<EvaluatedImage[]> {
  return concurrently(photos, 8, async ({ bytes, truths }) => {
    const { width, height, objects } = await ask(bytes, thresholds);
    return {
      detections: objects,
      truths: truths.map(({ classIndex, relative }) => ({
        classIndex,
        box: {
          xMin: relative.xMin * width,
          yMin: relative.yMin * height,
          xMax: relative.xMax * width,
          yMax: relative.yMax * height,
        },
      })),
    };
  });
}
