import type { OutgoingEvent } from '../read-events.js';
import { areaOf, type FrigateBox, ratioOf, regionOf, toFrigateBox } from './frigate-box.js';
import { frigateId, toUnix } from './frigate-id.js';

/** An object as `before` and `after` of `frigate/events` have it (docs.frigate.video/integrations/mqtt, 0.13 to 0.15). */
export interface FrigateState {
  readonly id: string;
  readonly camera: string;
  readonly frame_time: number;
  /** Until 0.14. */
  readonly snapshot_time: number;
  /** Since 0.15; null before there is an image. */
  readonly snapshot: FrigateSnapshot | null;
  readonly label: string;
  readonly sub_label: readonly [name: string, score: number] | null;
  readonly top_score: number;
  readonly false_positive: boolean;
  readonly start_time: number;
  readonly end_time: number | null;
  readonly score: number;
  readonly box: FrigateBox;
  readonly area: number;
  readonly ratio: number;
  readonly region: FrigateBox;
  readonly active: boolean;
  readonly stationary: boolean;
  readonly motionless_count: number;
  readonly position_changes: number;
  readonly current_zones: readonly string[];
  readonly entered_zones: readonly string[];
  readonly has_clip: boolean;
  readonly has_snapshot: boolean;
  readonly attributes: Readonly<Record<string, number>>;
  readonly current_attributes: readonly never[];
  readonly thumbnail: null;
}

interface FrigateSnapshot {
  readonly frame_time: number;
  readonly box: FrigateBox;
  readonly area: number;
  readonly region: FrigateBox;
  readonly score: number;
  readonly attributes: readonly never[];
}

/** What the events of a track before one say together. */
export interface TrackFacts {
  /** How often it began to move. */
  readonly moves: number;
  /** Milliseconds since 1970; since when it has not moved, null while it moves. */
  readonly stillSince: number | null;
  /** At the best event so far. */
  readonly best: FrigateSnapshot;
}

/** Frames that Frigate analyses a second unless it is configured otherwise: consumers compare counts of frames with that. */
const framesPerSecond = 5;

/** The facts after one more event. */
export function addEvent(facts: TrackFacts | null, event: Pick<OutgoingEvent, 'at' | 'data'>): TrackFacts {
  const { at, data } = event;
  const box = toFrigateBox(data);
  const isStill = data.stationary;
  // One that comes in moves; one that is there from the start has not.
  const begins = !isStill && (facts === null || facts.stillSince !== null);
  const isBest = facts === null || data.score >= facts.best.score;
  return {
    moves: (facts?.moves ?? 0) + (begins ? 1 : 0),
    stillSince: isStill ? (facts?.stillSince ?? at) : null,
    best: isBest
      ? {
          frame_time: toUnix(at),
          ...{ box, area: areaOf(box), region: regionOf(data) },
          ...{ score: data.score, attributes: [] },
        }
      : facts.best,
  };
}

/** @param facts with this event among them */
export function toFrigateState(
  event: Pick<OutgoingEvent, 'at' | 'data'> & { readonly trackId: string },
  camera: string,
  facts: TrackFacts,
): FrigateState {
  const { at, data, trackId } = event;
  const box = toFrigateBox(data);
  const startedAt = Date.parse(data.started_at);
  const stillMs = facts.stillSince === null ? 0 : at - facts.stillSince;
  return {
    id: frigateId(trackId, startedAt),
    camera,
    frame_time: toUnix(at),
    snapshot_time: facts.best.frame_time,
    snapshot: data.has_snapshot ? facts.best : null,
    label: data.label,
    sub_label: data.person === null ? null : [data.person.name, data.person.score],
    top_score: data.top_score,
    false_positive: false,
    start_time: toUnix(startedAt),
    end_time: data.ended_at === null ? null : toUnix(Date.parse(data.ended_at)),
    score: data.score,
    box,
    area: areaOf(box),
    ratio: ratioOf(box),
    region: regionOf(data),
    active: !data.stationary,
    stationary: data.stationary,
    motionless_count: data.stationary ? Math.max(1, Math.round((stillMs / 1000) * framesPerSecond)) : 0,
    position_changes: facts.moves,
    current_zones: data.current_zones,
    entered_zones: data.entered_zones,
    has_clip: data.has_clip,
    has_snapshot: data.has_snapshot,
    attributes: {},
    current_attributes: [],
    thumbnail: null,
  };
}
