import { type Box, boxIou } from '@lynceus/engine';
import type { TrackerFrame } from '#server/streams/tracking/byte-tracker.js';

interface GreedyTrack {
  readonly id: number;
  readonly title: string;
  box: Box;
  looks: number;
  lastSeenAtMs: number;
}

/** The score from which objects are taken, the IoU from which they are the same, and how long objects out of sight are. */
const minScore = 0.4;
const minIou = 0.3;

/**
 * What many programs do, to compare with: the pairs of one class that overlap most are the same object, one after the other. A track
 * counts from its second look on.
 * @returns the boxes of a frame with the ids of their tracks
 */
export function createGreedyTracker({
  maxLostMs = 5000,
} = {}): (frame: TrackerFrame) => { id: number; box: Box }[] {
  let tracks: GreedyTrack[] = [];
  let lastId = 0;
  return ({ atMs, detections }) => {
    const open = detections.filter(({ score }) => score >= minScore);
    tracks = tracks.filter(({ lastSeenAtMs }) => atMs - lastSeenAtMs <= maxLostMs);
    const pairs = tracks
      .flatMap((track) =>
        open
          .filter(({ label }) => label.title === track.title)
          .map((detection) => ({ track, detection, iou: boxIou(track.box, detection.box) })),
      )
      .filter(({ iou }) => iou >= minIou)
      .sort((a, b) => b.iou - a.iou);
    const used = new Set<unknown>();
    for (const { track, detection } of pairs) {
      if (used.has(track) || used.has(detection)) continue;
      used.add(track).add(detection);
      Object.assign(track, { box: detection.box, looks: track.looks + 1, lastSeenAtMs: atMs });
    }
    for (const detection of open) {
      if (used.has(detection)) continue;
      const { box, label } = detection;
      tracks.push({ id: ++lastId, title: label.title, box, looks: 1, lastSeenAtMs: atMs });
    }
    return tracks
      .filter(({ looks, lastSeenAtMs }) => looks > 1 && lastSeenAtMs === atMs)
      .map(({ id, box }) => ({ id, box }));
  };
}
