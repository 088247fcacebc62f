import type { Box, Point } from '@lynceus/engine';
import { cameraOffset, type Landmark } from './camera-shake.js';
import { type AreSimilar, type ClassGroups, cocoClassGroups, similarWithin } from './class-groups.js';
import { type ObjectDetection, type SteadyObject, seenObjects } from './detections.js';
import { findTracks } from './find-tracks.js';
import type { StationaryOptions } from './stationary.js';
import {
  advanceTrack,
  isTwin,
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
  /**
   * Objects of a frame beyond these, those with the least scores, are ignored, and beyond twice as many tracks none is started: association
   * takes cubic time.
   */
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
  maxObjects: 100,
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

export type Tracker = ReturnType<typeof createTracker>;

/** However seldom frames come, a track outlives so many of them. */
const minLostFrames = 3;
const maxIntervalMs = 30_000;

/**
 * Follows the objects of a camera: ByteTrack (Zhang et al. 2022) over times instead of frame numbers, with a steady camera and with
 * stationary objects that last.
 */
export function createTracker(options: Partial<TrackerOptions> = {}) {
  const settings = { ...trackerDefaults, ...options };
  const areSimilar = similarWithin(settings.classGroups);
  let tracks: readonly Track[] = [];
  let lastId = 0;
  let last: { readonly atMs: number; readonly width: number; readonly height: number } | null = null;
  let intervalMs = 0;
  let offset: Point = { x: 0, y: 0 };

  return {
    /**
     * Frames in their order. A time before the last one's counts as that one's; another size of the frames ends all tracks, for another
     * part of the world may be seen.
     */
    update({ atMs, width, height, detections }: TrackerFrame): TrackerUpdate {
      const elapsedMs = last && atMs > last.atMs ? atMs - last.atMs : 0;
      const isSameSize = last === null || (last.width === width && last.height === height);
      last = { atMs, width, height };
      const lostMs = minLostFrames * intervalMs;
      intervalMs = 0.8 * intervalMs + 0.2 * Math.min(elapsedMs, maxIntervalMs);
      const advanced = tracks.map((track) => advanceTrack(track, elapsedMs));
      const pool = advanced.filter(
        (track) => isSameSize && track.unseenMs <= Math.max(lostMs, maxUnseenMs(track, settings)),
      );

      const seen = seenObjects(detections, areSimilar, settings.maxObjects);
      offset = cameraOffset(offset, landmarksOf(pool), seen, { width, height, elapsedMs, areSimilar });
      const objects = seen.map((object) => ({ ...object, steadyBox: moveBox(object.box, offset) }));
      const found = findTracks(pool, objects, { ...settings, elapsedMs, areSimilar });
      const see = (track: Track, object: SteadyObject | undefined) =>
        object ? seeTrack(track, object, { ...settings, atMs }) : track;
      const followed = pool.map((track) => see(track, found.get(track.id)));
      const taken = new Set(found.values());
      const fresh = objects
        .filter((object) => object.score >= settings.highScore && !taken.has(object))
        .slice(0, Math.max(0, 2 * settings.maxObjects - followed.length));
      const twins = twinsOf(followed, areSimilar);
      tracks = [
        ...followed
          .filter((track) => ![...twins.values()].includes(track))
          .map((track) => see(track, twins.get(track)?.seen ?? undefined)),
        ...fresh.map((object) => startTrack(++lastId, object, atMs)),
      ];

      const confirmed = (all: readonly Track[]) =>
        new Set(all.filter((each) => each.isConfirmed).map(({ id }) => id));
      const [before, after] = [confirmed(advanced), confirmed(tracks)];
      return {
        tracks: tracks.map(viewTrack),
        started: tracks.filter(({ id }) => after.has(id) && !before.has(id)).map(viewTrack),
        ended: advanced.filter(({ id }) => before.has(id) && !after.has(id)).map(viewTrack),
      };
    },
    /** Ends all tracks. Those of later frames are new ones. @returns the confirmed ones */
    end(): readonly TrackedObject[] {
      const ended = tracks.filter(({ isConfirmed }) => isConfirmed);
      tracks = [];
      return ended.map(viewTrack);
    },
  };
}

/** How long a track is kept that is not seen. */
function maxUnseenMs({ isConfirmed, stillness }: Track, settings: TrackerOptions): number {
  if (!isConfirmed) return settings.maxUnconfirmedMs;
  if (stillness.isStationary) return settings.maxLostStationaryMs;
  // What has stayed for a while is expected to stay for as long.
  return Math.max(settings.maxLostMs, Math.min(stillness.stayedMs, settings.maxLostStationaryMs));
}

/** Objects that stay, and new ones, which may. */
function landmarksOf(tracks: readonly Track[]): Landmark[] {
  return tracks
    .filter(({ unseenMs, looks, stillness }) => unseenMs <= 2000 && (stillness.stayedMs > 500 || looks <= 3))
    .map(({ votes, stillness }) => ({ title: votes.label.title, box: stillness.anchor }));
}

/** The younger track of objects that were hidden and seen again as new ones, by the older track. */
function twinsOf(tracks: readonly Track[], areSimilar: AreSimilar): Map<Track, Track> {
  const twins = new Map<Track, Track>();
  const used = new Set<Track>();
  for (const track of tracks) {
    const twin = tracks.find(
      (other) =>
        !used.has(other) &&
        isTwin(other, track) &&
        areSimilar(other.votes.label.title, track.votes.label.title),
    );
    if (!twin) continue;
    used.add(twin);
    twins.set(track, twin);
  }
  return twins;
}

function moveBox({ xMin, yMin, xMax, yMax }: Box, { x, y }: Point): Box {
  return { xMin: xMin - x, yMin: yMin - y, xMax: xMax - x, yMax: yMax - y };
}
