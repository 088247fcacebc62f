import { type Box, boxIou, type Point } from '@lynceus/engine';
import type { Expected } from './associate.js';
import { addVotes, type ClassVotes } from './class-votes.js';
import type { ObjectLabel, SeenObject, SteadyObject } from './detections.js';
import {
  type BoxState,
  boxOf,
  correct,
  positionStdPx,
  predict,
  startState,
  velocityOf,
} from './kalman-box.js';
import { type StationaryOptions, type Stillness, startStillness, stepStillness } from './stationary.js';

/** What a tracker knows of one object. Boxes and the state are steady: as if the camera never shook. */
export interface Track {
  readonly id: number;
  readonly state: BoxState;
  readonly votes: ClassVotes;
  readonly stillness: Stillness;
  /** The last ones, the newest last. */
  readonly scores: readonly number[];
  readonly topScore: number;
  /** Sum of all scores, and their number. */
  readonly evidence: number;
  readonly looks: number;
  readonly isConfirmed: boolean;
  readonly startedAtMs: number;
  readonly lastSeenAtMs: number;
  /** Since it was last seen. */
  readonly unseenMs: number;
  /** Where it was last seen, as detected. */
  readonly box: Box;
  /** What the last frame showed of it. */
  readonly seen: SteadyObject | null;
}

/** A track as others see it; boxes are in pixels of the frame. */
export interface TrackedObject {
  /** Of this tracker; never used again. */
  readonly id: number;
  readonly label: ObjectLabel;
  /** Median of the last scores, 0 to 1. */
  readonly score: number;
  readonly topScore: number;
  /** Where it was last seen. */
  readonly box: Box;
  /** Where it is while the camera is steady, smoothed: where it stays, or where it is expected. */
  readonly steadyBox: Box;
  /** Pixels a second, without the shaking of the camera. */
  readonly velocity: Point;
  readonly startedAtMs: number;
  readonly lastSeenAtMs: number;
  readonly isStationary: boolean;
  /** Unconfirmed tracks may be mistakes of the detector. */
  readonly isConfirmed: boolean;
  /** What was seen of it in this frame. */
  readonly seen: SeenObject | null;
}

const keptScores = 10;
/** Extra cost of the less likely place, and of a stationary object out of sight: it is not what passes in front of it. */
const elsewhereCost = 0.2;
/** An object that stayed so long is expected to stay. */
const minStayMs = 2000;
const minTwinIou = 0.5;

export function startTrack(id: number, object: SteadyObject, atMs: number): Track {
  return {
    id,
    state: startState(object.steadyBox),
    votes: addVotes({ label: object.label, weights: new Map() }, object.looks),
    stillness: startStillness(object.steadyBox),
    scores: [object.score],
    topScore: object.score,
    evidence: object.score,
    looks: 1,
    isConfirmed: false,
    startedAtMs: atMs,
    lastSeenAtMs: atMs,
    unseenMs: 0,
    box: object.box,
    seen: object,
  };
}

/** The track at the time of a later frame, before that is looked at. */
export function advanceTrack(track: Track, elapsedMs: number): Track {
  return {
    ...track,
    state: predict(track.state, elapsedMs / 1000),
    unseenMs: track.unseenMs + elapsedMs,
    seen: null,
  };
}

/** The track after an object of the frame turned out to be it. */
export function seeTrack(
  track: Track,
  object: SteadyObject,
  options: StationaryOptions & { readonly atMs: number; readonly confirmScore: number },
): Track {
  const state = correct(track.state, object.steadyBox);
  const evidence = track.evidence + object.score;
  return {
    ...track,
    state,
    votes: addVotes(track.votes, object.looks),
    stillness: stepStillness(track.stillness, { box: boxOf(state), elapsedMs: track.unseenMs }, options),
    scores: [...track.scores, object.score].slice(-keptScores),
    topScore: Math.max(track.topScore, object.score),
    evidence,
    looks: track.looks + 1,
    isConfirmed: track.isConfirmed || evidence >= options.confirmScore,
    lastSeenAtMs: options.atMs,
    unseenMs: 0,
    box: object.box,
    seen: object,
  };
}

/**
 * Where to look for a track that was advanced. The longer an object has stayed, the longer it will: lost, it is expected there.
 * @param elapsedMs since the last frame
 */
export function expectTrack({ state, stillness, votes, unseenMs }: Track, elapsedMs: number): Expected {
  const lostMs = Math.max(0, unseenMs - elapsedMs);
  const { isStationary, anchor, stayedMs, awayLooks } = stillness;
  const spreadPx = positionStdPx(state);
  const onItsWay = { box: boxOf(state), spreadPx, extraCost: 0 };
  const { title } = votes.label;
  if (isStationary) {
    const atAnchor = { box: anchor, spreadPx: 0, extraCost: elsewhereCost };
    return { title, places: lostMs === 0 || awayLooks > 0 ? [onItsWay, atAnchor] : [atAnchor] };
  }
  if (lostMs === 0 || stayedMs < minStayMs) return { title, places: [onItsWay] };
  const doubt = lostMs / (lostMs + stayedMs);
  const atAnchor = { box: anchor, spreadPx: doubt * spreadPx, extraCost: 0 };
  return { title, places: [atAnchor, { ...onItsWay, extraCost: elsewhereCost }] };
}

/**
 * Whether a track was begun by an object that another one, out of sight, is: it was first seen where that one stays, and has stayed there.
 */
export function isTwin(twin: Track, of: Track): boolean {
  const ageMs = twin.lastSeenAtMs - twin.startedAtMs;
  return (
    of.stillness.isStationary &&
    of.seen === null &&
    twin.seen !== null &&
    twin.id > of.id &&
    twin.stillness.stayedMs >= Math.max(minStayMs, 0.9 * ageMs) &&
    boxIou(twin.stillness.anchor, of.stillness.anchor) >= minTwinIou
  );
}

export function viewTrack(track: Track): TrackedObject {
  const { id, votes, scores, topScore, box, startedAtMs, lastSeenAtMs, isConfirmed, seen } = track;
  const { isStationary, anchor } = track.stillness;
  return {
    id,
    label: votes.label,
    score: median(scores),
    topScore,
    box,
    steadyBox: isStationary ? anchor : boxOf(track.state),
    velocity: isStationary ? { x: 0, y: 0 } : velocityOf(track.state),
    startedAtMs,
    lastSeenAtMs,
    isStationary,
    isConfirmed,
    seen,
  };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? 0)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}
