import type { Box } from '../../image/box.js';
import type { Picture } from '../../image/picture.js';
import { floatsOf } from '../output.js';
import type { LoadedModel } from '../task.js';
import type { ProbabilityMap } from './components.js';

export interface Scan {
  readonly region: Box;
  /** Size of the detector's input in pixels, multiples of what its manifest asks. */
  readonly width: number;
  readonly height: number;
}

/** The detector's map of a part of the picture. */
export async function scanPart(
  picture: Picture,
  detector: LoadedModel,
  { region, width, height }: Scan,
): Promise<ProbabilityMap> {
  const data = await picture.raster({ region, width, height });
  const outputs = await detector.run({ image: { data, dims: [1, height, width, 3] } });
  const probabilities = floatsOf(detector, outputs, 'map');
  // Bytes serve as well as floats here, and a quarter of the memory counts in large pictures.
  const map = new Uint8Array(width * height);
  for (let at = 0; at < map.length; at += 1) map[at] = (probabilities[at] ?? 0) * 255 + 0.5;
  return { data: map, width, height };
}
