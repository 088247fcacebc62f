import { type Box, boxIou, type Point } from '@lynceus/engine';
import { associate, type Expected } from './associate.js';
import { cameraOffset, type Landmark } from './camera-shake.js';
import { type ClassGroups, cocoClassGroups, similarWithin } from './class-groups.js';
import { type ObjectDetection, type SeenObject, seenObjects } from './detections.js';
import type { StationaryOptions } from './stationary.js';
import {
  advanceTrack,
  expectTrack,
  seeTrack,
  startTrack,
  type Track,
  type TrackedObject,
  viewTrack,
} from './track.js';

export interface TrackerOptions extends StationaryOptions {
  /** Scores from here on start tracks and find lost ones again; lower ones from `lowScore` on only continue tracks. */
  readonly highScore: number;
  readonly lowScore: number;
  /** A track is confirmed by two looks or more whose scores sum to this. */
  readonly confirmScore: number;
  /** How long an object remains the same that is not seen. */
  readonly maxLostMs: number;
  /** The same for one that is stationary. */
  readonly maxLostStationaryMs: number;
  /** How long an unconfirmed track waits for its next look. */
  readonly maxUnconfirmedMs: number;
  readonly classGroups: ClassGroups;
  /** Objects of a frame beyond these, those with the least scores, are ignored: association takes cubic time. */
  readonly maxObjects: number;
}

export const trackerDefaults: TrackerOptions = {
  highScore: 0.4,
  lowScore: 0.15,
  confirmScore: 1,
  maxLostMs: 5000,
  maxLostStationaryMs: 300_000,
  maxUnconfirmedMs: 1000,
  stationaryAfterMs: 10_000,
  movingAfterMs: 1000,
  classGroups: cocoClassGroups,
  maxObjects: 200,
};

export interface TrackerFrame {
  readonly atMs: number;
  /** Of the frame in pixels. */
  readonly width: number;
  readonly height: number;
  readonly detections: readonly ObjectDetection[];
}

export interface TrackerUpdate {
  /** Unconfirmed ones too. */
  readonly tracks: readonly TrackedObject[];
  /** Tracks that this frame confirmed. */
  readonly started: readonly TrackedObject[];
  /** Confirmed tracks that are no longer followed. */
  readonly ended: readonly TrackedObject[];
}

export interface Tracker {
  /** Frames in their order; a time before the last one's counts as that one's. */
  update(frame: TrackerFrame): TrackerUpdate;
}

/** Highest costs of an association: of objects with high scores, of those with low ones, and with unconfirmed tracks. */
const maxCosts = { high: 0.8, low: 0.6, unconfirmed: 0.7 } as const;
/** An object without a track that overlaps so much with one that has a track is a second look at that one. */
const secondLookIou = 0.55;
/** However seldom frames come, a track outlives so many of them. */
const minLostFrames = 3;
const maxIntervalMs = 30_000;

/**
 * Follows the objects of a camera: ByteTrack (Zhang et al. 2022) over times instead of frame numbers. Objects with high scores are
 * associated first, those with low scores then only continue tracks, and what is left may become new tracks.
 */
export function createTracker(options: Partial<TrackerOptions> = {}): Tracker {
  const settings = { ...trackerDefaults, ...options };
  const areSimilar = similarWithin(settings.classGroups);
  let tracks: readonly Track[] = [];
  let lastId = 0;
  let lastMs: number | null = null;
  let intervalMs = 0;
  let offset: Point = { x: 0, y: 0 };

  return {
    update({ atMs, width, height, detections }) {
      const elapsedMs = lastMs === null ? 0 : Math.max(0, atMs - lastMs);
      lastMs = atMs;
      const objects = seenObjects(detections, areSimilar, settings.maxObjects);
      const moved = tracks.map((track) => advanceTrack(track, elapsedMs));
      const limitMs = minLostFrames * intervalMs;
      intervalMs = 0.8 * intervalMs + 0.2 * Math.min(elapsedMs, maxIntervalMs);
      const isFollowed = (track: Track) => track.unseenMs <= Math.max(limitMs, maxUnseenMs(track, settings));
      const pool = moved.filter(isFollowed);
      offset = cameraOffset(offset, landmarksOf(pool), objects, { width, height, elapsedMs, areSimilar });
      const found = findTracks(pool, objects, { elapsedMs, offset, areSimilar, settings });
      const followed = pool.map((track) => {
        const object = found.get(track.id);
        return object
          ? seeTrack(track, object, { ...settings, steadyBox: steady(object.box, offset), atMs })
          : track;
      });
      const taken = [...found.values()];
      const fresh = objects
        .filter((object) => object.score >= settings.highScore && !taken.includes(object))
        .filter((object) => !taken.some((other) => isSecondLook(object, other, areSimilar)))
        .map((object) => startTrack(++lastId, object, steady(object.box, offset), atMs));
      const before = new Set(pool.filter(({ isConfirmed }) => isConfirmed).map(({ id }) => id));
      tracks = [...followed, ...fresh];
      return {
        tracks: tracks.map(viewTrack),
        started: followed.filter(({ id, isConfirmed }) => isConfirmed && !before.has(id)).map(viewTrack),
        ended: moved.filter((track) => track.isConfirmed && !isFollowed(track)).map(viewTrack),
      };
    },
  };
}

interface Situation {
  readonly elapsedMs: number;
  readonly offset: Point;
  readonly areSimilar: (a: string, b: string) => boolean;
  readonly settings: TrackerOptions;
}

/** The objects that are tracks, by the id of the track. */
function findTracks(
  pool: readonly Track[],
  objects: readonly SeenObject[],
  { elapsedMs, offset, areSimilar, settings }: Situation,
): Map<number, SeenObject> {
  const steadyObjects = objects.map((object) => ({ object, box: steady(object.box, offset) }));
  const high = steadyObjects.filter(({ object }) => object.score >= settings.highScore);
  const low = steadyObjects.filter(
    ({ object }) => object.score < settings.highScore && object.score >= settings.lowScore,
  );
  const found = new Map<number, SeenObject>();
  const taken = new Set<SeenObject>();
  const match = (candidates: readonly Track[], seen: typeof steadyObjects, maxCost: number) => {
    const open = candidates.filter(({ id }) => !found.has(id));
    const free = seen.filter(({ object }) => !taken.has(object));
    const expected: Expected[] = open.map((track) => expectTrack(track, elapsedMs));
    const boxes = free.map(({ object, box }) => ({ ...object, box }));
    for (const { row, column } of associate(expected, boxes, areSimilar, maxCost)) {
      const [track, object] = [open[row], free[column]?.object];
      if (!track || !object) continue;
      found.set(track.id, object);
      taken.add(object);
    }
  };
  const confirmed = pool.filter(({ isConfirmed }) => isConfirmed);
  const wasSeen = (track: Track) => track.unseenMs <= elapsedMs || track.stillness.isStationary;
  match(confirmed, high, maxCosts.high);
  match(confirmed.filter(wasSeen), low, maxCosts.low);
  match(
    pool.filter(({ isConfirmed }) => !isConfirmed),
    high,
    maxCosts.unconfirmed,
  );
  return found;
}

function maxUnseenMs({ isConfirmed, stillness }: Track, settings: TrackerOptions): number {
  if (!isConfirmed) return settings.maxUnconfirmedMs;
  return stillness.isStationary ? settings.maxLostStationaryMs : settings.maxLostMs;
}

/** Objects that stay, and new ones, which may. */
function landmarksOf(tracks: readonly Track[]): Landmark[] {
  return tracks
    .filter(({ unseenMs, looks, stillness }) => unseenMs <= 2000 && (stillness.stayedMs > 500 || looks <= 3))
    .map(({ votes, stillness }) => ({ title: votes.label.title, box: stillness.anchor }));
}

function isSecondLook(object: SeenObject, other: SeenObject, areSimilar: Situation['areSimilar']): boolean {
  return areSimilar(object.label.title, other.label.title) && boxIou(object.box, other.box) >= secondLookIou;
}

/** A box of the frame where it is while the camera is steady. */
function steady({ xMin, yMin, xMax, yMax }: Box, { x, y }: Point): Box {
  return { xMin: xMin - x, yMin: yMin - y, xMax: xMax - x, yMax: yMax - y };
}
