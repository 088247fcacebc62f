import type { Products } from '../products.js';
import type { TrainingContext } from '../training-context.js';
import type { DetectorTraining } from '../training-job.js';
import type { BackgroundSample } from './backgrounds.js';
import {
  completelyLabelled,
  crossValidate,
  joinFolds,
  thin,
  type UnseenImage,
  type ValidationPlan,
} from './cross-validate.js';
import type { DetectorBackbone } from './cut-detector.js';
import { decideSecondLook } from './decide-second-look.js';
import type { DetectorReport } from './detector-report.js';
import type { ExtractedImage, ExtractedImages } from './extract-anchors.js';
import { findObjects } from './find-objects.js';
import type { FoldedHead } from './head.js';
import { judgeScores } from './judge-scores.js';
import {
  countingLooks,
  type LookMaterial,
  lookAgain,
  lookAgainOnFolds,
  trainSecondLook,
} from './look-again.js';
import { ap50Of, falseShare, measure, measuredImage, shownScore } from './measure.js';
import { worstMistakes } from './mistakes.js';
import { fitScoreLine, onLine, type ScoreLine } from './score-line.js';
import { lookOnLine, type SecondLook } from './second-look.js';
import { trainHeads } from './train-heads.js';

interface Material extends ExtractedImages {
  readonly products: Products;
  /** Shipped ones. */
  readonly backgrounds: readonly BackgroundSample[];
  /** Undefined without a classifier: no box is looked at again. */
  readonly second: LookMaterial | undefined;
}

interface TrainedDetector {
  /** Their logits are used unchanged. */
  readonly heads: readonly FoldedHead[];
  /** Undefined where a second look does not help. */
  readonly look: SecondLook | undefined;
  readonly figures: Omit<DetectorReport, 'warnings' | 'seconds'>;
}

/** Minimum of held-out boxes to measure on; with fewer, all images are measured by cross-validation. */
const minHeldOutBoxes = 10;
/** For the progress: a look at the boxes of an image takes as long as so many steps of a fit. */
const stepsALook = 20;
/** At an image's labelled boxes, and at what the cross-validation and the last heads find in it. */
const looksAnImage = 3;
/** Share of the images for the learning curve. */
const shares = [0.5];

/**
 * Cross-validation over the training images calibrates the scores, and says whether a second look helps; then heads are trained on
 * all of them, and measured on the held-out images, where there are enough. The heads that are returned are trained on the held-out
 * images too.
 */
export async function learnAndMeasure(
  backbone: DetectorBackbone,
  job: DetectorTraining,
  { products, images, backgrounds, refused, ...material }: Material,
  { onProgress }: TrainingContext,
): Promise<TrainedDetector> {
  const labels = job.labels.length;
  const { seed } = job;
  const train = images.filter(({ image }) => image.split === 'train');
  const heldOut = images.filter(({ image }) => image.split === 'held-out');
  const measurable = heldOut.filter(({ image }) => !image.isPartlyLabelled);
  const isHeldOutEnough = countBoxes(measurable) >= minHeldOutBoxes;
  const folds = foldsFor(train);
  const stepsAFit = train.length * 4 + backgrounds.length * 3 + 100;
  const looks = material.second ? (looksAnImage * images.length * stepsALook) / stepsAFit : 0;
  const fits =
    folds + 1 + (heldOut.length > 0 ? 1 : 0) + shares.length * (isHeldOutEnough ? 1 : folds) + looks;
  const total = Math.ceil(fits * labels * stepsAFit);
  let done = 0;
  const onStep = () => onProgress({ stage: 'training', done, total, isKept: false });
  const count = (steps: number) => {
    done = Math.min(done + steps, total - stepsAFit);
    onStep();
  };
  const second = material.second && countingLooks(material.second, () => count(stepsALook * labels));
  const plan: ValidationPlan = {
    products,
    images: train,
    backgrounds,
    labels,
    seed,
    folds,
    share: 1,
    onStep: () => count(1),
  };
  const find = (heads: readonly FoldedHead[], at: readonly ExtractedImage[]): UnseenImage[] =>
    at.map((image) => {
      plan.onStep();
      return { image, found: findObjects(backbone, heads, image.anchors()) };
    });

  const validated = folds > 1 ? await crossValidate(backbone, plan) : [];
  const first = joinFolds(validated);
  const { used, unseen, f1 } = await decideSecondLook(validated, second);
  const line = fitScoreLine(judgeScores(unseen));
  /** A second look at what was found, by one that was trained on what was found in other images. */
  const again = async (found: readonly UnseenImage[], known: readonly UnseenImage[]) => {
    const look = used && (await trainSecondLook(known, used));
    return used && look ? lookAgain(found, look, used) : found;
  };

  const raw = await trainHeads(backbone, { ...plan, images: train });
  const last = heldOut.length > 0 ? await trainHeads(backbone, { ...plan, images }) : raw;
  const foundHeldOut = find(raw, heldOut);
  const lastLook = used && (await trainSecondLook([...first.images, ...foundHeldOut], used));
  const measured = completelyLabelled(
    isHeldOutEnough ? await again(foundHeldOut, first.images) : unseen.images,
  );
  const byImages = [];
  for (const share of shares.filter((one) => Math.round(train.length * one) >= 4)) {
    const some = thin(train, share);
    const part = isHeldOutEnough
      ? await again(
          find(await trainHeads(backbone, { ...plan, images: some }), measurable),
          first.images.filter(({ image }) => some.includes(image)),
        )
      : (await lookAgainOnFolds(await crossValidate(backbone, { ...plan, share }), used)).images;
    byImages.push({ images: some.length, ap50: ap50Of(shown(part, line), job.labels) });
  }

  onProgress({ stage: 'measuring', done: 0, total: 1, isKept: false });
  const judged = shown(measured, line);
  const { overall, labels: byLabel, calibration } = measure(judged, job.labels);
  const empty = judged.filter(({ truths }) => truths.length === 0);
  return {
    heads: last.map((head) => onLine(line, head)),
    look: lastLook && lookOnLine(line, lastLook),
    figures: {
      kind: 'object_detection',
      measuredWith: isHeldOutEnough ? 'held-out' : 'cross-validation',
      learntOf: {
        images: train.length,
        boxes: countBoxes(train),
        backgrounds: train.filter(({ truths }) => truths.length === 0).length,
        shippedBackgrounds: backgrounds.length,
      },
      lastFit: { images: images.length, boxes: countBoxes(images) },
      ...(f1 && { secondLook: { isUsed: lastLook !== undefined, ...f1 } }),
      refused: [...refused],
      measuredOn: { images: judged.length, boxes: countBoxes(measured.map(({ image }) => image)) },
      overall,
      labels: byLabel,
      falseBoxes: {
        own: falseShare(empty.map(({ detections }) => detections[0]?.score ?? 0)),
        shipped: falseShare(unseen.backgrounds.map(({ highest }) => shownScore(highest, line))),
      },
      mistakes: worstMistakes(judged, job.labels),
      calibration,
      byImages: [...byImages, { images: train.length, ap50: overall.ap50 }],
    },
  };
}

/** More folds where images are few. A single image cannot be cross-validated. */
function foldsFor(train: readonly ExtractedImage[]): number {
  const showing = train.filter(({ truths }) => truths.length > 0).length;
  return Math.min(showing, showing <= 100 ? 4 : 3);
}

function shown(images: readonly UnseenImage[], line: ScoreLine) {
  return completelyLabelled(images).map((image) => measuredImage(image, line));
}

function countBoxes(images: readonly ExtractedImage[]): number {
  return images.reduce((sum, { truths }) => sum + truths.length, 0);
}
