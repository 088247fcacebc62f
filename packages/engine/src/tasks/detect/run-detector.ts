import { type Box, clipBox } from '../../image/box.js';
import type { Image } from '../../image/image.js';
import { inputTensor, placeInput } from '../input.js';
import { floatsOf, integersOf } from '../output.js';
import type { LoadedModel } from '../task.js';
import type { Candidate } from './fuse.js';

/** Boxes of one detector in pixels of the image, with its own scores from `minScore` on. */
export async function runDetector(
  model: LoadedModel,
  image: Image,
  thresholds: { readonly minScore: number; readonly nmsIou: number },
): Promise<Candidate[]> {
  const outputs = await model.run({
    image: await inputTensor(image, model.manifest.input),
    score_threshold: { data: Float32Array.of(thresholds.minScore), dims: [1] },
    iou_threshold: { data: Float32Array.of(thresholds.nmsIou), dims: [1] },
  });
  const boxes = floatsOf(model, outputs, 'boxes');
  const scores = floatsOf(model, outputs, 'scores');
  const classes = integersOf(model, outputs, 'classes');
  const whole = { xMin: 0, yMin: 0, xMax: image.width, yMax: image.height };
  const seen = placeInput(whole, model.manifest.input).box;
  return Array.from(scores, (score, index) => {
    const at = (side: number) => Math.min(Math.max(boxes[4 * index + side] ?? 0, 0), 1);
    const found = { xMin: at(0), yMin: at(1), xMax: at(2), yMax: at(3) };
    const box = clipBox(within(seen, found), image.width, image.height);
    return { classIndex: Number(classes[index]), score, box };
  });
}

/** A box relative to what the model saw, in pixels of the image. */
function within(seen: Box, { xMin, yMin, xMax, yMax }: Box): Box {
  const [width, height] = [seen.xMax - seen.xMin, seen.yMax - seen.yMin];
  return {
    xMin: seen.xMin + xMin * width,
    yMin: seen.yMin + yMin * height,
    xMax: seen.xMin + xMax * width,
    yMax: seen.yMin + yMax * height,
  };
}
