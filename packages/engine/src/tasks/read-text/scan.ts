import { floatsOf } from '../output.js';
import type { LoadedModel } from '../task.js';
import type { ProbabilityMap } from './components.js';
import type { View } from './view.js';

/** The detector's map of what a view shows; its sides are multiples of what the detector's manifest asks. */
export async function scanView(
  detector: LoadedModel,
  { data, width, height }: View,
): Promise<ProbabilityMap> {
  const outputs = await detector.run({ image: { data, dims: [1, height, width, 3] } });
  const probabilities = floatsOf(detector, outputs, 'map');
  // Bytes serve as well as floats here, and a quarter of the memory counts in large images.
  const map = new Uint8Array(width * height);
  for (let at = 0; at < map.length; at += 1) map[at] = (probabilities[at] ?? 0) * 255 + 0.5;
  return { data: map, width, height };
}
