import type { Face } from '@lynceus/engine';
import type { CompatSettings } from '../../accounts/compat-settings.js';
import type { Perception } from '../../faces/perception.js';
import { Refusal } from './errors.js';
import type { Asked } from './query.js';

type ShownFace = Pick<Face, 'box' | 'score' | 'points' | 'quality'>;

/** The largest faces that are asked for. Throws `noFace` where none is left. */
export function chooseFaces<T>(
  faces: readonly T[],
  scoreOf: (face: T) => number,
  { limit, minScore }: Pick<Asked, 'limit' | 'minScore'>,
  { minConfidence, maxPredictions }: CompatSettings,
): readonly T[] {
  const least = Math.max(minScore, minConfidence ?? 0);
  const most = Math.min(limit ?? Number.POSITIVE_INFINITY, maxPredictions ?? Number.POSITIVE_INFINITY);
  const chosen = faces.filter((face) => scoreOf(face) >= least).slice(0, most);
  if (chosen.length === 0) throw noFace();
  return chosen;
}

export function noFace(): Refusal {
  // To the letter: clients compare it.
  return new Refusal('noFace', 'No face is found in the given image');
}

/** A face with those of the plugins asked for that there are; all others are as if they were not asked for. */
export function toFace(
  { box, score, points, quality }: ShownFace,
  { width, height }: { readonly width: number; readonly height: number },
  { plugins, wantsStatus }: Asked,
  tookMs: number,
) {
  const within = (value: number, max: number) => Math.min(max, Math.max(0, Math.round(value)));
  return {
    box: {
      probability: round(score),
      x_max: within(box.xMax, width),
      y_max: within(box.yMax, height),
      x_min: within(box.xMin, width),
      y_min: within(box.yMin, height),
    },
    ...(plugins.has('landmarks') && {
      landmarks: points.map(({ x, y }) => [within(x, width), within(y, height)]),
    }),
    ...(plugins.has('pose') && {
      pose: { pitch: round(quality.pitchDeg), roll: round(quality.rollDeg), yaw: round(quality.yawDeg) },
    }),
    // Of finding and describing together, which are one step here.
    ...(wantsStatus && { execution_time: { detector: Math.round(tookMs) } }),
  };
}

/** What `status` adds beside the faces. */
export function toVersions({ wantsStatus }: Asked, { embedder }: Pick<Perception, 'embedder'>) {
  return wantsStatus ? { plugins_versions: { detector: 'lynceus', calculator: embedder } } : {};
}

/** Five digits, as CompreFace has them. */
export function round(value: number): number {
  return Math.round(value * 1e5) / 1e5;
}
