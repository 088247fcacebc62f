import type { Products } from '../products.js';
import type { ImageAnchors } from './anchor-sample.js';
import { countAnchors } from './anchor-sample.js';
import type { BackgroundSample } from './backgrounds.js';
import { fitBoxBias } from './box-bias.js';
import type { DetectorBackbone } from './cut-detector.js';
import { fitHead, type Penalties } from './fit-head.js';
import { type FoldedHead, foldHead, type LabelHead, scoreAnchors } from './head.js';
import { assignAnchors, type Corners } from './overlap.js';
import { applyScaling, measureScaling, type Scaling } from './scaling.js';
import { RowCollector } from './training-rows.js';

/** An image for the training of one label. */
export interface LabelImage {
  anchors(): ImageAnchors;
  /** Boxes of the label; none where it shows other things. */
  readonly truths: readonly Corners[];
  /** Of a partly labelled image its boxes of other labels: only there nothing of the label is shown for certain. Else null. */
  readonly others: readonly Corners[] | null;
}

interface LabelLesson {
  readonly products: Products;
  readonly images: readonly LabelImage[];
  /** Cells of images that show nothing of the label. */
  readonly backgrounds: readonly BackgroundSample[];
  /** Values in [0, 1). */
  random(): number;
  /** Called after every image and background, and from time to time during the fit. */
  onStep(): void;
}

const miningRounds = 3;
const maxSteps = 20;
/** Anchors per image: random ones at first, and the highest scoring ones in every round. */
const perImage = 15;
/** The same per background: there are many of them, and most are uninformative. */
const perBackground = 8;
/** Bounds of memory and time: rows of a few kilobytes each. */
const maxRandomRows = 10_000;
const maxHardRows = 6_000;

/** See docs/training-detectors.md for the tables behind these. */
const penalties: Penalties = { logits: 10, features: 30, shapes: 1 };
/** Weight of an image with boxes, for its positives and its negatives. */
const imageShare = { positive: 10, negative: 30 };
/** Weight of an anchor of a background of weight 1, relative to one of an image with boxes. */
const backgroundWeight = 0.1;

/**
 * Trains one label: first on random anchors, then three times also on those that the last head mistook for the
 * label (hard negatives: Sung and Poggio 1998; Felzenszwalb et al. 2010).
 */
export async function trainLabel(backbone: DetectorBackbone, lesson: LabelLesson): Promise<FoldedHead> {
  const { products, images, backgrounds, onStep } = lesson;
  const rows = new RowCollector(backbone, products);
  const seen = await firstRows(backbone, lesson, rows);
  const shown = images.filter(({ truths }) => truths.length > 0).length;
  const share = {
    positive: imageShare.positive * shown,
    negative: imageShare.negative * shown,
  };
  const few = Math.min(1, maxHardRows / (images.length * perImage + backgrounds.length * perBackground));
  let scaling: Scaling | undefined;
  let head: LabelHead | undefined;
  for (let round = 0; ; round++) {
    const levels = rows.levels(share);
    scaling ??= measureScaling(backbone, levels);
    applyScaling(scaling, levels);
    head = await fitHead(backbone, levels, penalties, { products, start: head, maxSteps, onStep });
    const folded = foldHead(backbone, scaling, head);
    if (round === miningRounds) return { ...folded, boxBias: fitBoxBias(images) };
    for (const [index, { anchors, truths, others }] of images.entries()) {
      const sample = anchors();
      const taken = seen[index] ?? new Set();
      const { negative } = assignAnchors(sample.corners, truths, others);
      const indexes = hardest(
        scoreAnchors(backbone, folded, sample),
        negative,
        Math.ceil(perImage * few),
        taken,
      );
      await rows.add({ sample, indexes, target: 0, weight: 1 });
      onStep();
    }
    for (const [index, sample] of backgrounds.entries()) {
      const taken = seen[images.length + index] ?? new Set();
      const scores = scoreAnchors(backbone, folded, sample);
      const indexes = hardest(scores, [...scores.keys()], Math.ceil(perBackground * few), taken);
      await rows.add({ sample, indexes, target: 0, weight: backgroundWeight * sample.weight });
      onStep();
    }
  }
}

/** All positive anchors, every image with the same weight, and random negative ones. Returns the anchors of each image. */
async function firstRows(
  backbone: DetectorBackbone,
  { images, backgrounds, random, onStep }: LabelLesson,
  rows: RowCollector,
): Promise<Set<number>[]> {
  const few = Math.min(1, maxRandomRows / (images.length * perImage + backgrounds.length * perBackground));
  const seen: Set<number>[] = [];
  for (const { anchors, truths, others } of images) {
    const sample = anchors();
    const { positive, negative } = assignAnchors(sample.corners, truths, others);
    await rows.add({ sample, indexes: positive, target: 1, weight: 1 / Math.max(1, positive.length) });
    const chosen = draw(negative, Math.ceil(perImage * few), random);
    await rows.add({ sample, indexes: chosen, target: 0, weight: 1 });
    seen.push(new Set(chosen));
    onStep();
  }
  for (const sample of backgrounds) {
    const all = Array.from({ length: countAnchors(backbone, sample) }, (_, index) => index);
    const chosen = draw(all, Math.ceil(perBackground * few), random);
    await rows.add({ sample, indexes: chosen, target: 0, weight: backgroundWeight * sample.weight });
    seen.push(new Set(chosen));
  }
  return seen;
}

function draw(from: readonly number[], count: number, random: () => number): number[] {
  const chosen = new Set<number>();
  for (let tries = 0; tries < count && from.length > 0; tries++) {
    const index = from[Math.floor(random() * from.length)];
    if (index !== undefined) chosen.add(index);
  }
  return [...chosen];
}

/** The highest scoring of `among` that were not taken before; they are taken now. */
function hardest(
  scores: Float32Array,
  among: readonly number[],
  count: number,
  taken: Set<number>,
): number[] {
  const best = [...among].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0)).slice(0, count);
  const fresh = best.filter((index) => !taken.has(index));
  for (const index of fresh) taken.add(index);
  return fresh;
}
