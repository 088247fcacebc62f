import type { Pair } from './assign.js';
import { associate, associateAcrossClasses, type Expected } from './associate.js';
import type { AreSimilar } from './class-groups.js';
import type { SteadyObject } from './detections.js';
import { expectTrack, type Track } from './track.js';

/** Highest costs of an association: of objects with high scores, of those with low ones, and with unconfirmed tracks. */
const maxCosts = { high: 0.9, low: 0.6, unconfirmed: 0.8 } as const;
/** An object with a low score continues a track that was seen so recently, or that is stationary. */
const recentMs = 1000;

/**
 * The object of each track that the frame shows, by the id of the track. The stages of ByteTrack (Zhang et al. 2022): objects with high
 * scores first, with all confirmed tracks; those with low scores only continue tracks; unconfirmed tracks get what is left. At the end, tracks
 * that were just seen get objects of any class at their very place.
 * @param elapsedMs since the last frame
 */
export function findTracks(
  tracks: readonly Track[],
  objects: readonly SteadyObject[],
  {
    elapsedMs,
    areSimilar,
    highScore,
    lowScore,
  }: {
    readonly elapsedMs: number;
    readonly areSimilar: AreSimilar;
    readonly highScore: number;
    readonly lowScore: number;
  },
): Map<number, SteadyObject> {
  const found = new Map<number, SteadyObject>();
  const taken = new Set<SteadyObject>();
  const match = (
    candidates: readonly Track[],
    seen: readonly SteadyObject[],
    pair: (expected: readonly Expected[], free: readonly SteadyObject[]) => readonly Pair[],
  ) => {
    const open = candidates.filter(({ id }) => !found.has(id));
    const free = seen.filter((object) => !taken.has(object));
    const expected = open.map((track) => expectTrack(track, elapsedMs));
    for (const { row, column } of pair(expected, free)) {
      const [track, object] = [open[row], free[column]];
      if (!track || !object) continue;
      found.set(track.id, object);
      taken.add(object);
    }
  };
  const within =
    (maxCost: number) =>
    (expected: readonly Expected[], free: readonly SteadyObject[]): readonly Pair[] =>
      associate(expected, free, areSimilar, maxCost);
  const confirmed = tracks.filter(({ isConfirmed }) => isConfirmed);
  const high = objects.filter(({ score }) => score >= highScore);
  const low = objects.filter(({ score }) => score < highScore && score >= lowScore);
  const isRecent = ({ unseenMs }: Track) => unseenMs <= Math.max(recentMs, elapsedMs);
  match(confirmed, high, within(maxCosts.high));
  match(
    confirmed.filter((track) => isRecent(track) || track.stillness.isStationary),
    low,
    within(maxCosts.low),
  );
  match(
    tracks.filter(({ isConfirmed }) => !isConfirmed),
    high,
    within(maxCosts.unconfirmed),
  );
  match(tracks.filter(isRecent), [...high, ...low], associateAcrossClasses);
  return found;
}
