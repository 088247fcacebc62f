import type { Picture } from '../../image/picture.js';
import { inputTensor } from '../input.js';
import { floatsOf, integersOf } from '../output.js';
import type { LoadedModel } from '../task.js';
import type { Candidate } from './fuse.js';

/** Boxes of one detector in pixels of the picture, with its own scores from `minScore` on. */
export async function runDetector(
  model: LoadedModel,
  picture: Picture,
  thresholds: { readonly minScore: number; readonly nmsIou: number },
): Promise<Candidate[]> {
  const outputs = await model.run({
    image: await inputTensor(picture, model.manifest.input),
    score_threshold: { data: Float32Array.of(thresholds.minScore), dims: [1] },
    iou_threshold: { data: Float32Array.of(thresholds.nmsIou), dims: [1] },
  });
  const boxes = floatsOf(model, outputs, 'boxes');
  const scores = floatsOf(model, outputs, 'scores');
  const classes = integersOf(model, outputs, 'classes');
  return Array.from(scores, (score, index) => {
    const at = (side: number) => Math.min(Math.max(boxes[4 * index + side] ?? 0, 0), 1);
    return {
      classIndex: Number(classes[index]),
      score,
      box: {
        xMin: at(0) * picture.width,
        yMin: at(1) * picture.height,
        xMax: at(2) * picture.width,
        yMax: at(3) * picture.height,
      },
    };
  });
}
