import type { Products } from '../products.js';
import { seededRandom } from '../seeded-random.js';
import type { BackgroundSample } from './backgrounds.js';
import { noBoxBias } from './box-bias.js';
import type { DetectorBackbone } from './cut-detector.js';
import type { ExtractedImage } from './extract-anchors.js';
import type { FoldedHead } from './head.js';
import { type LabelImage, trainLabel } from './train-label.js';

interface Lesson {
  readonly products: Products;
  readonly images: readonly ExtractedImage[];
  readonly backgrounds: readonly BackgroundSample[];
  readonly labels: number;
  readonly seed: number;
  onStep(): void;
}

/** One head per label, each against everything else; a label without images gets one that finds nothing. */
export async function trainHeads(backbone: DetectorBackbone, lesson: Lesson): Promise<FoldedHead[]> {
  const { products, images, backgrounds, labels, seed, onStep } = lesson;
  const heads: FoldedHead[] = [];
  for (let label = 0; label < labels; label++) {
    const seen = images.map((extracted): LabelImage => {
      const { image, truths } = extracted;
      const cornersOf = (isOwn: boolean) =>
        truths.filter((truth) => (truth.label === label) === isOwn).map(({ corners }) => corners);
      return {
        anchors: () => extracted.anchors(),
        truths: cornersOf(true),
        others: image.isPartlyLabelled ? cornersOf(false) : null,
      };
    });
    const isShown = seen.some(({ truths }) => truths.length > 0);
    const random = seededRandom(seed * 1009 + label);
    heads.push(
      isShown
        ? await trainLabel(backbone, { products, images: seen, backgrounds, random, onStep })
        : silentHead(backbone),
    );
  }
  return heads;
}

function silentHead({ levels }: DetectorBackbone): FoldedHead {
  return {
    weights: levels.map(({ anchorsPerCell, dims }) => new Float32Array(anchorsPerCell * dims)),
    biases: levels.map(({ anchorsPerCell }) => new Float32Array(anchorsPerCell).fill(-30)),
    boxBias: noBoxBias,
  };
}
