import { type Box, boxIou } from '@lynceus/engine';
import type { AreSimilar } from './class-groups.js';

/** A class of a detector; classes are the same where their titles are. */
export interface ObjectLabel {
  readonly title: string;
  readonly id?: string;
  readonly index?: number;
}

export interface ObjectDetection {
  /** In pixels of the frame. */
  readonly box: Box;
  /** 0 to 1. */
  readonly score: number;
  readonly label: ObjectLabel;
}

/** One object in one frame, with all that the detector took it for. */
export interface SeenObject extends ObjectDetection {
  /** The best score first; `label` and `score` are the first's. */
  readonly looks: readonly { readonly label: ObjectLabel; readonly score: number }[];
}

/** An object, and where it is while the camera is steady. */
export interface SteadyObject extends SeenObject {
  readonly steadyBox: Box;
}

/** IoU from which two boxes of similar classes are one object: not every detector suppresses overlaps of other classes. */
const sameObjectIou = 0.65;

/**
 * What can be tracked of the detections of a frame: finite boxes with a size, the best `maxObjects` of them, each object once.
 * The best score first.
 */
export function seenObjects(
  detections: readonly ObjectDetection[],
  areSimilar: AreSimilar,
  maxObjects: number,
): SeenObject[] {
  const ordered = detections.filter(isUsable).sort((a, b) => b.score - a.score);
  const objects: SeenObject[] = [];
  for (const { box, score, label } of ordered.slice(0, maxObjects)) {
    const same = objects.findIndex(
      (other) =>
        other.label.title !== label.title &&
        areSimilar(other.label.title, label.title) &&
        boxIou(other.box, box) >= sameObjectIou,
    );
    const known = objects[same];
    if (known) objects[same] = { ...known, looks: [...known.looks, { label, score }] };
    else objects.push({ box, score, label, looks: [{ label, score }] });
  }
  return objects;
}

function isUsable({ box, score }: ObjectDetection): boolean {
  const { xMin, yMin, xMax, yMax } = box;
  return [xMin, yMin, xMax, yMax, score].every(Number.isFinite) && xMax > xMin && yMax > yMin && score > 0;
}
