import type { Products } from '../products.js';
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
  /** The highest logit in it, and of which label. */
  readonly highest: number;
  readonly label: number;
  readonly weight: number;
  /** Of the photograph. */
  readonly photo: number;
}

export interface Unseen {
  readonly images: readonly UnseenImage[];
  /** Every view of the shipped photographs, by heads that were trained on no view of the same photograph. */
  readonly backgrounds: readonly UnseenBackground[];
}

/** A part of the answers, and what its heads were trained on. */
export interface ValidatedFold extends Unseen {
  readonly seen: readonly ExtractedImage[];
}

export interface ValidationPlan {
  readonly products: Products;
  readonly images: readonly ExtractedImage[];
  readonly backgrounds: readonly BackgroundSample[];
  readonly labels: number;
  readonly seed: number;
  readonly folds: number;
  /** Share of the images that a fold may be trained on, 0 to 1. */
  readonly share: number;
  onStep(): void;
}

/**
 * Trains on all folds but one and predicts that one, for each. All views of a photograph are in the fold of its number modulo the
 * number of folds.
 */
export async function crossValidate(
  backbone: DetectorBackbone,
  plan: ValidationPlan,
): Promise<ValidatedFold[]> {
  const { products, folds, share, labels, seed, onStep } = plan;
  const random = seededRandom(seed);
  // Images with boxes are distributed first, so that every fold has its share of them; and of those that can be measured with.
  const order = shuffled(plan.images, random).sort((a, b) => rankOf(b) - rankOf(a));
  const validated: ValidatedFold[] = [];
  for (let fold = 0; fold < folds; fold++) {
    const isUnseen = (_: unknown, index: number) => index % folds === fold;
    const isSeen = (_: unknown, index: number) => index % folds !== fold;
    const seen = thin(order.filter(isSeen), share);
    const known = plan.backgrounds.filter(({ photo }) => photo % folds !== fold);
    const lesson = { products, images: seen, backgrounds: known, labels, seed, onStep };
    const heads = await trainHeads(backbone, lesson);
    const images = order.filter(isUnseen).map((image) => {
      const found = findObjects(backbone, heads, image.anchors());
      onStep();
      return { image, found };
    });
    const backgrounds = plan.backgrounds
      .filter(({ photo }) => photo % folds === fold)
      .map((sample) => {
        const { weight, photo } = sample;
        return { ...highestLogit(backbone, heads, sample), weight, photo };
      });
    validated.push({ seen, images, backgrounds });
  }
  return validated;
}

function rankOf({ image, truths }: ExtractedImage): number {
  if (truths.length === 0) return 0;
  return image.isPartlyLabelled ? 1 : 2;
}

/** Those that can be measured with: what is found beside the labels of a partly labelled image may be right. */
export function completelyLabelled(images: readonly UnseenImage[]): readonly UnseenImage[] {
  return images.filter(({ image }) => !image.image.isPartlyLabelled);
}

/** The answers of all folds. */
export function joinFolds(folds: readonly ValidatedFold[]): Unseen {
  return {
    images: folds.flatMap(({ images }) => images),
    backgrounds: folds.flatMap(({ backgrounds }) => backgrounds),
  };
}

/** Every nth image, so that those with boxes, which come first, keep their share. */
export function thin<T>(items: readonly T[], share: number): T[] {
  const count = Math.max(1, Math.round(items.length * share));
  return items.filter(
    (_, index) =>
      Math.floor(((index + 1) * count) / items.length) > Math.floor((index * count) / items.length),
  );
}

function highestLogit(
  backbone: DetectorBackbone,
  heads: readonly FoldedHead[],
  sample: AnchorSample,
): { readonly highest: number; readonly label: number } {
  let [highest, label] = [Number.NEGATIVE_INFINITY, 0];
  heads.forEach((head, index) => {
    const most = scoreAnchors(backbone, head, sample).reduce(
      (higher, score) => Math.max(higher, score),
      highest,
    );
    if (most > highest) [highest, label] = [most, index];
  });
  return { highest, label };
}
