import type { ModelRef } from '../../catalog/manifest.js';
import { type Box, boxArea } from '../../image/box.js';
import type { Image } from '../../image/image.js';
import { type ClassScore, classifyRegion } from '../classify/classify.js';
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

/** Dense classification: the region of each detected object is classified by itself. */
export const segment: Task<'segment', SegmentOptions, SegmentResult> = {
  name: 'segment',
  detailPx: () => 2048,
  rasters: ({ maxSegments }) => maxSegments,
  async run({ image, load, earlier, signal }, { model, topK, maxSegments }) {
    const detections = earlier.detect?.detections ?? [];
    const largest = detections
      .map((detection, index) => ({ index, box: detection.box }))
      .sort((a, b) => boxArea(b.box) - boxArea(a.box))
      .slice(0, maxSegments);
    if (largest.length === 0) return { segments: [] };
    const classifier = await load(model);
    const segments: Segment[] = [];
    for (const { index, box } of largest) {
      signal.throwIfAborted();
      const region = squareAround(box, image);
      const { classes } = await classifyRegion(classifier, image, topK, region);
      segments.push({ detection: index, classes });
    }
    return { segments };
  },
};

/**
 * The best square around a box for a classifier trained on centre crops: as long as the longer side, moved
 * inside the image, and no longer than the image is.
 */
function squareAround(box: Box, image: Image): Box {
  const side = Math.max(box.xMax - box.xMin, box.yMax - box.yMin);
  const along = (min: number, max: number, limit: number) => {
    const length = Math.min(side, limit);
    const start = Math.min(Math.max((min + max - length) / 2, 0), limit - length);
    return { start, end: start + length };
  };
  const x = along(box.xMin, box.xMax, image.width);
  const y = along(box.yMin, box.yMax, image.height);
  return { xMin: x.start, yMin: y.start, xMax: x.end, yMax: y.end };
}
