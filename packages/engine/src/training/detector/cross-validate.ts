import { seededRandom, shuffled } from '../seeded-random.js';
import type { AnchorSample } from './anchor-sample.js';
import type { BackgroundSample } from './backgrounds.js';
import type { DetectorBackbone } from './cut-detector.js';
import type { ExtractedImage } from './extract-anchors.js';
import { type FoundObject, findObjects } from './find-objects.js';
import { type FoldedHead, scoreAnchors } from './head.js';
import { trainHeads } from './train-heads.js';

/** Cross-validated answers for an image. */
export interface UnseenImage {
  readonly image: ExtractedImage;
  readonly found: readonly FoundObject[];
}

export interface UnseenBackground {
  /** The highest logit in it. */
  readonly highest: number;
  readonly weight: number;
}

export interface Unseen {
  readonly images: readonly UnseenImage[];
  /** Every view of the shipped photographs, by heads that were trained on no view of the same photograph. */
  readonly backgrounds: readonly UnseenBackground[];
}

export interface ValidationPlan {
  readonly images: readonly ExtractedImage[];
  readonly backgrounds: readonly BackgroundSample[];
  readonly labels: number;
  readonly seed: number;
  readonly folds: number;
  /** Share of the images that a fold may be trained on, 0 to 1. */
  readonly share: number;
  onStep(): void;
}

/** Trains on all folds but one and predicts that one, for each. All views of a photograph are in one fold. */
export function crossValidate(backbone: DetectorBackbone, plan: ValidationPlan): Unseen {
  const { folds, share, labels, seed, onStep } = plan;
  const random = seededRandom(seed);
  // Images with boxes are distributed first, so that every fold has its share of them.
  const order = shuffled(plan.images, random).sort(
    (a, b) => Number(b.truths.length > 0) - Number(a.truths.length > 0),
  );
  const images: UnseenImage[] = [];
  const unseen: UnseenBackground[] = [];
  for (let fold = 0; fold < folds; fold++) {
    const isUnseen = (_: unknown, index: number) => index % folds === fold;
    const isSeen = (_: unknown, index: number) => index % folds !== fold;
    const seen = thin(order.filter(isSeen), share);
    const backgrounds = plan.backgrounds.filter(({ photo }) => photo % folds !== fold);
    const heads = trainHeads(backbone, { images: seen, backgrounds, labels, seed, onStep });
    for (const image of order.filter(isUnseen)) {
      images.push({ image, found: findObjects(backbone, heads, image.anchors()) });
      onStep();
    }
    for (const sample of plan.backgrounds.filter(({ photo }) => photo % folds === fold))
      unseen.push({ highest: highestLogit(backbone, heads, sample), weight: sample.weight });
  }
  return { images, backgrounds: unseen };
}

/** Every nth image, so that those with boxes, which come first, keep their share. */
export function thin<T>(items: readonly T[], share: number): T[] {
  const count = Math.max(1, Math.round(items.length * share));
  return items.filter(
    (_, index) =>
      Math.floor(((index + 1) * count) / items.length) > Math.floor((index * count) / items.length),
  );
}

export function highestLogit(
  backbone: DetectorBackbone,
  heads: readonly FoldedHead[],
  sample: AnchorSample,
): number {
  return heads.reduce(
    (most, head) =>
      scoreAnchors(backbone, head, sample).reduce((higher, score) => Math.max(higher, score), most),
    Number.NEGATIVE_INFINITY,
  );
}
