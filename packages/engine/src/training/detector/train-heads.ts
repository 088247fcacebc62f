import { seededRandom } from '../seeded-random.js';
import type { AnchorSample } from './anchor-sample.js';
import type { DetectorBackbone } from './cut-detector.js';
import type { ExtractedPicture } from './extract-anchors.js';
import type { FoldedHead } from './head.js';
import { noOutset } from './outset.js';
import { trainLabel } from './train-label.js';

export interface Lesson {
  readonly pictures: readonly ExtractedPicture[];
  readonly backgrounds: readonly AnchorSample[];
  readonly labels: number;
  readonly seed: number;
  onStep(): void;
}

/** One head a label, each against everything else; a label that no picture shows gets one that finds nothing. */
export function trainHeads(backbone: DetectorBackbone, lesson: Lesson): FoldedHead[] {
  const { pictures, backgrounds, labels, seed, onStep } = lesson;
  return Array.from({ length: labels }, (_, label) => {
    const seen = pictures.map((picture) => ({
      anchors: () => picture.anchors(),
      truths: picture.truths.filter((truth) => truth.label === label).map(({ corners }) => corners),
    }));
    if (!seen.some(({ truths }) => truths.length > 0)) return silentHead(backbone);
    return trainLabel(backbone, {
      pictures: seen,
      backgrounds,
      random: seededRandom(seed * 1009 + label),
      onStep,
    });
  });
}

function silentHead({ levels }: DetectorBackbone): FoldedHead {
  return {
    weights: levels.map(({ anchorsPerCell, dims }) => new Float32Array(anchorsPerCell * dims)),
    biases: levels.map(({ anchorsPerCell }) => new Float32Array(anchorsPerCell).fill(-30)),
    outset: noOutset,
  };
}
