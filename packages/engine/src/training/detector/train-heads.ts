import { seededRandom } from '../seeded-random.js';
import type { BackgroundSample } from './backgrounds.js';
import { noBoxBias } from './box-bias.js';
import type { DetectorBackbone } from './cut-detector.js';
import type { ExtractedImage } from './extract-anchors.js';
import type { FoldedHead } from './head.js';
import { trainLabel } from './train-label.js';

export interface Lesson {
  readonly images: readonly ExtractedImage[];
  readonly backgrounds: readonly BackgroundSample[];
  readonly labels: number;
  readonly seed: number;
  onStep(): void;
}

/** One head per label, each against everything else; a label without images gets one that finds nothing. */
export function trainHeads(backbone: DetectorBackbone, lesson: Lesson): FoldedHead[] {
  const { images, backgrounds, labels, seed, onStep } = lesson;
  return Array.from({ length: labels }, (_, label) => {
    const seen = images.map((image) => ({
      anchors: () => image.anchors(),
      truths: image.truths.filter((truth) => truth.label === label).map(({ corners }) => corners),
    }));
    if (!seen.some(({ truths }) => truths.length > 0)) return silentHead(backbone);
    return trainLabel(backbone, {
      images: seen,
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
    boxBias: noBoxBias,
  };
}
