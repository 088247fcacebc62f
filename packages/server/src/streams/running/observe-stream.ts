import type { Point } from '@lynceus/engine';
import type { StreamSettings } from '../stream-settings.js';
import { type TrackerOptions, trackerDefaults } from '../tracking/byte-tracker.js';
import type { ObjectFilters } from '../tracking/filter.js';
import { createTrackObserver, type TrackObserver } from '../tracking/track-events.js';
import { isInPolygon } from '../tracking/zones.js';

/** Titles of classes that have faces: a model of a customer may write them in its own way. */
export const faceClasses = ['person', 'Person', 'people', 'pedestrian', 'human', 'man', 'woman'];

/** Whether an object of the class has a face that may be known. */
export function isPerson(title: string): boolean {
  return faceClasses.includes(title);
}

/** Follows the objects of a stream as its settings say. */
export function observeStream(settings: StreamSettings): TrackObserver {
  const { zones, masks, stationaryAfterSeconds } = settings;
  return createTrackObserver({
    tracker: { stationaryAfterMs: stationaryAfterSeconds * 1000, ...trackerScores(settings) },
    zones: zones.map(({ name, polygon, classes: only }) => ({
      ...{ name, points: polygon.map(toPoint) },
      ...(only.length > 0 && { classes: only }),
    })),
    masks: masks.map((polygon) => ({ points: polygon.map(toPoint) })),
    filters: toObjectFilters(settings),
    faceClasses,
  });
}

/** Which objects are followed, of a stream or a video. */
export function toObjectFilters({
  classes,
  minScore,
}: Pick<StreamSettings, 'classes' | 'minScore'>): ObjectFilters {
  return {
    all: { minScore },
    byClass: Object.fromEntries(
      classes.map(({ label, minScore: own, minArea }) => [label, { minScore: own, minArea }]),
    ),
    ...(classes.length > 0 && { classes: classes.map(({ label }) => label) }),
  };
}

/** From which scores objects are followed: from lower ones than usual where a minimum is lower. */
export function trackerScores({
  classes,
  minScore,
}: Pick<StreamSettings, 'classes' | 'minScore'>): Pick<TrackerOptions, 'highScore' | 'lowScore'> {
  const { highScore, lowScore } = trackerDefaults;
  const least = Math.min(highScore, minScore, ...classes.flatMap((each) => each.minScore ?? []));
  return { highScore: least, lowScore: Math.min(lowScore, least) };
}

/** Whether a place, in fractions of the image, is left out. */
export function isMaskedIn({ masks }: Pick<StreamSettings, 'masks'>): (x: number, y: number) => boolean {
  const polygons = masks.map((polygon) => polygon.map(toPoint));
  return (x, y) => polygons.some((polygon) => isInPolygon({ x, y }, polygon));
}

function toPoint([x, y]: readonly [number, number]): Point {
  return { x, y };
}
