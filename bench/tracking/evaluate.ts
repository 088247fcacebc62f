import type { Box } from '@lynceus/engine';
import {
  createTracker,
  type TrackerFrame,
  type TrackerOptions,
} from '#server/streams/tracking/byte-tracker.js';
import { seededRandom } from '../accuracy/bootstrap.js';
import { createGreedyTracker } from './greedy-tracker.js';
import { countMot, type MotCounts } from './mot-metrics.js';
import type { SceneKind } from './scenes.js';
import { detectScene } from './simulated-detector.js';
import type { Scene } from './world.js';

/** The boxes that a tracker sees in a frame, with their ids. */
export type TrackFrame = (frame: TrackerFrame) => readonly { readonly id: number; readonly box: Box }[];

export const trackers = {
  greedy: (): TrackFrame => createGreedyTracker(),
  ours: (options?: Partial<TrackerOptions>): TrackFrame => {
    const tracker = createTracker(options);
    return (frame) =>
      tracker.update(frame).tracks.filter(({ isConfirmed, seen }) => isConfirmed && seen !== null);
  },
};

/** Objects of which less is visible need not be seen. */
const minVisible = 0.3;

/** How a tracker does in one scene. */
export function evaluate(
  scene: Scene,
  detections: readonly TrackerFrame['detections'][],
  track: TrackFrame,
): MotCounts {
  const { width, height } = scene;
  return countMot(
    scene.frames.map(({ atMs, objects }, index) => ({
      truths: objects.map(({ id, box, visible }) => ({ id, box, isIgnored: visible < minVisible })),
      tracks: track({ atMs, width, height, detections: detections[index] ?? [] }),
    })),
  );
}

/** The counts of several trackers on the same detections of one scene. */
export function evaluateKind<Name extends string>(
  kind: SceneKind,
  seed: number,
  open: Readonly<Record<Name, () => TrackFrame>>,
): Record<Name, MotCounts> {
  const random = seededRandom(seed * 7919 + kind.name.length);
  const scene = kind.play(random);
  const detections = detectScene(scene, kind.errors, random);
  const entries = Object.entries<() => TrackFrame>(open).map(
    ([name, create]) => [name, evaluate(scene, detections, create())] as const,
  );
  return Object.fromEntries(entries) as Record<Name, MotCounts>;
}
