import type { Label, ModelRef } from '../../catalog/manifest.js';
import { EngineError } from '../../errors.js';
import type { Box } from '../../image/box.js';
import type { Image } from '../../image/image.js';
import { inputTensor } from '../input.js';
import { floatsOf } from '../output.js';
import type { LoadedModel, Task } from '../task.js';
import { atTemperature } from './temperature.js';

export interface ClassifyOptions {
  readonly model: ModelRef;
  /** Number of returned classes, best first. */
  readonly topK: number;
}

export interface ClassScore {
  readonly label: Label;
  /** Probability, 0 to 1; where labels exclude each other, those of all classes of the model sum to 1. */
  readonly score: number;
}

export interface ClassifyResult {
  readonly classes: readonly ClassScore[];
  /**
   * Probability that the image is like none of those that the model was trained on, 0 to 1; only of classifiers that were trained
   * here and know it.
   */
  readonly unlikeTraining?: number;
}

/** Ranked classes of the whole image. */
export const classify: Task<'classify', ClassifyOptions, ClassifyResult> = {
  name: 'classify',
  detailPx: () => 800,
  rasters: () => 1,
  async run({ image, load }, { model, topK }) {
    return classifyRegion(await load(model), image, topK);
  },
};

/** Ranked classes of a region of an image, or of all of it. */
export async function classifyRegion(
  model: LoadedModel,
  image: Image,
  topK: number,
  region?: Box,
): Promise<ClassifyResult> {
  const tensor = await inputTensor(image, model.manifest.input, region);
  const outputs = await model.run({ image: tensor });
  const { temperature } = model.manifest;
  const own = floatsOf(model, outputs, 'probabilities');
  const probabilities = temperature === undefined ? own : atTemperature(own, temperature);
  if (!probabilities.every(Number.isFinite)) {
    throw new EngineError(
      'image-too-complex',
      `model ${model.ref.id} answers this image with values that are no numbers, such as a division by zero gives: its graph must give a probability for every image`,
    );
  }
  const classes = model.manifest.labels
    .map((label, index) => ({ label, score: probabilities[index] ?? 0 }))
    .sort((a, b) => b.score - a.score)
    .slice(0, topK);
  if (!('unlike_training' in outputs)) return { classes };
  const [unlikeTraining = 0] = floatsOf(model, outputs, 'unlike_training');
  return { classes, unlikeTraining };
}
