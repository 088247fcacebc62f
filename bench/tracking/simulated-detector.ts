import type { Box } from '@lynceus/engine';
import type { ObjectDetection } from '#server/streams/tracking/detections.js';
import { normalFrom } from './random.js';
import { type Scene, stageSize, type TrueFrame, type TrueObject } from './world.js';

/** How a detector errs. */
export interface DetectorErrors {
  /** Standard deviation of each edge, as a share of the side. */
  readonly jitter: number;
  /** Share of plainly visible objects that are missed in a frame. */
  readonly missed: number;
  /** False detections a frame. */
  readonly falsePerFrame: number;
  /** Share of detections with another class of the same kind, and of those that come with a second box of another class. */
  readonly flips: number;
  readonly doubles: number;
}

export const usualErrors: DetectorErrors = {
  jitter: 0.04,
  missed: 0.08,
  falsePerFrame: 0.3,
  flips: 0.05,
  doubles: 0.05,
};

const lookalikes: Readonly<Record<string, readonly string[]>> = {
  car: ['truck', 'bus'],
  truck: ['car', 'bus'],
  bus: ['truck', 'car'],
  cat: ['dog'],
  dog: ['cat'],
};

/** What a detector with these errors finds in each frame of a scene: the best score first. */
export function detectScene(scene: Scene, errors: DetectorErrors, random: () => number): ObjectDetection[][] {
  const normal = normalFrom(random);
  return scene.frames.map((frame) =>
    [
      ...frame.objects.flatMap((object) => detect(object, frame, scene, errors, random, normal)),
      ...falseDetections(errors, random),
    ].sort((a, b) => b.score - a.score),
  );
}

function detect(
  object: TrueObject,
  { atMs }: TrueFrame,
  { light }: Scene,
  errors: DetectorErrors,
  random: () => number,
  normal: () => number,
): ObjectDetection[] {
  const ease = object.visible * (light?.(atMs) ?? 1);
  if (object.visible < 0.15 || random() < errors.missed + (1 - ease) * 0.5) return [];
  const score = Math.min(0.98, 0.15 + 0.6 * ease + 0.12 * normal());
  if (score < 0.1) return [];
  // Of objects that are partly hidden, detectors find the whole or what they see of it.
  const whole = random() < 0.5 ? object.box : object.shown;
  const box = jitter(whole, errors.jitter * (1 + 2 * (1 - object.visible)), normal);
  const others = lookalikes[object.title] ?? [];
  const other = others[Math.floor(random() * others.length)] ?? object.title;
  const title = random() < errors.flips ? other : object.title;
  const found = { box, score, label: { title } };
  if (others.length === 0 || random() >= errors.doubles) return [found];
  const second = others.find((each) => each !== title) ?? object.title;
  const again = jitter(object.box, errors.jitter, normal);
  return [found, { box: again, score: score * (0.6 + 0.35 * random()), label: { title: second } }];
}

/** Half of the false detections are at places that look like an object, again and again. */
function falseDetections({ falsePerFrame }: DetectorErrors, random: () => number): ObjectDetection[] {
  const { width, height } = stageSize;
  let count = Math.floor(falsePerFrame);
  if (random() < falsePerFrame - count) count += 1;
  return Array.from({ length: count }, () => {
    const place = random() < 0.5 ? Math.floor(random() * 4) / 4 : random();
    const size = height * (0.05 + 0.2 * random());
    const [x, y] = [place * (width - size), (0.3 + 0.6 * ((place * 7) % 1)) * (height - size)];
    return {
      box: { xMin: x, yMin: y, xMax: x + size * (0.4 + random()), yMax: y + size },
      score: 0.15 + 0.4 * random() ** 2,
      label: { title: random() < 0.5 ? 'person' : 'car' },
    };
  });
}

function jitter(box: Box, share: number, normal: () => number): Box {
  const [width, height] = [box.xMax - box.xMin, box.yMax - box.yMin];
  const xMin = Math.max(0, box.xMin + share * width * normal());
  const yMin = Math.max(0, box.yMin + share * height * normal());
  const xMax = Math.min(stageSize.width, Math.max(xMin + 1, box.xMax + share * width * normal()));
  const yMax = Math.min(stageSize.height, Math.max(yMin + 1, box.yMax + share * height * normal()));
  return { xMin, yMin, xMax, yMax };
}
