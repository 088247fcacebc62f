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
import { playScene, type Scene, stageSize, type TrueObject } from './world.js';

/** The boxes that a tracker sees in a frame, with their ids. */
export type TrackFrame = (frame: TrackerFrame) => readonly { readonly id: number; readonly box: Box }[];

/** Detections of each frame of a scene. */
export type DetectedScene = readonly TrackerFrame['detections'][];

/** Two trackers on the same detections. */
export interface Comparison {
  readonly ours: MotCounts;
  readonly greedy: MotCounts;
}

/** Objects of which less is visible need not be seen. */
const minVisible = 0.3;

export function compareTrackers(scene: Scene, detections: DetectedScene): Comparison {
  return {
    ours: evaluate(scene, detections, openOurs()),
    greedy: evaluate(scene, detections, createGreedyTracker()),
  };
}

/** Both trackers on one random scene of a kind. */
export function compareOnKind(kind: SceneKind, seed: number): Comparison {
  const random = seededRandom(seed * 7919 + kind.name.length);
  const scene = playScene(kind.play(random));
  return compareTrackers(scene, detectScene(scene, kind.errors, random));
}

export function openOurs(options?: Partial<TrackerOptions>): TrackFrame {
  const tracker = createTracker(options);
  return (frame) =>
    tracker.update(frame).tracks.filter(({ isConfirmed, seen }) => isConfirmed && seen !== null);
}

/** How a tracker does in one scene. */
export function evaluate(scene: Scene, detections: DetectedScene, track: TrackFrame): MotCounts {
  const { judged } = scene;
  const isIgnored = ({ id, visible }: TrueObject) =>
    visible < minVisible || (judged !== undefined && !judged.includes(id));
  return countMot(
    scene.frames.map(({ atMs, objects }, index) => ({
      truths: objects.map((object) => ({ id: object.id, box: object.box, isIgnored: isIgnored(object) })),
      tracks: track({ atMs, ...stageSize, detections: detections[index] ?? [] }),
    })),
  );
}
