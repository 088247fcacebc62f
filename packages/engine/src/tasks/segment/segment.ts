import type { ModelRef } from '../../catalog/manifest.js';
import type { ClassScore } from '../classify/classify.js';
import type { Task } from '../task.js';

export interface SegmentOptions {
  readonly model: ModelRef;
  readonly topK: number;
  /** How many of the job's detections are classified, the largest first. */
  readonly maxSegments: number;
}

export interface Segment {
  /** Index into the detections of the `detect` task of the same job, which must come before this one. */
  readonly detection: number;
  readonly classes: readonly ClassScore[];
}

export interface SegmentResult {
  readonly segments: readonly Segment[];
}

export const segment: Task<'segment', SegmentOptions, SegmentResult> = {
  name: 'segment',
  detailPx: () => 0,
  run: async () => ({ segments: [] }),
};
