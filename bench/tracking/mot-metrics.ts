import { type Box, boxIou } from '@lynceus/engine';
import { assign } from '#server/streams/tracking/assign.js';

/** One frame of a sequence: what is there, and what a tracker says. */
export interface JudgedFrame {
  readonly truths: readonly {
    readonly id: number;
    readonly box: Box;
    /** Nobody need see it, and who does makes no mistake: it is hidden. */
    readonly isIgnored?: boolean;
  }[];
  readonly tracks: readonly { readonly id: number; readonly box: Box }[];
}

/** Counts that can be added up over sequences. */
export interface MotCounts {
  readonly truths: number;
  readonly tracked: number;
  readonly missed: number;
  readonly falsePositives: number;
  readonly switches: number;
  readonly fragments: number;
  /** Boxes of tracks whose id is that of the truth in the best assignment of whole trajectories. */
  readonly idTruePositives: number;
  /** Objects that had a track, and the tracks that each of them had, added up. */
  readonly objects: number;
  readonly tracks: number;
}

const minIou = 0.5;

/**
 * CLEAR MOT (Bernardin and Stiefelhagen 2008) and the counts of IDF1 (Ristani et al. 2016), both at IoU .5. Tracks on ignored truths
 * are left out, as in the MOT challenge.
 */
export function countMot(frames: readonly JudgedFrame[]): MotCounts {
  const kept = frames.map(withoutIgnored);
  let [truths, missed, falsePositives, switches, fragments] = [0, 0, 0, 0, 0];
  const trackOf = new Map<number, number>();
  const interrupted = new Set<number>();
  const tracksOf = new Map<number, Set<number>>();
  let last = new Map<number, number>();
  for (const frame of kept) {
    const pairs = correspond(frame, last);
    truths += frame.truths.length;
    missed += frame.truths.length - pairs.size;
    falsePositives += frame.tracks.length - pairs.size;
    for (const { id } of frame.truths) {
      const track = pairs.get(id);
      const before = trackOf.get(id);
      if (track === undefined) {
        if (before !== undefined) interrupted.add(id);
        continue;
      }
      if (before !== undefined && before !== track) switches += 1;
      if (interrupted.delete(id)) fragments += 1;
      trackOf.set(id, track);
      tracksOf.set(id, (tracksOf.get(id) ?? new Set()).add(track));
    }
    last = pairs;
  }
  return {
    truths,
    tracked: kept.reduce((sum, frame) => sum + frame.tracks.length, 0),
    missed,
    falsePositives,
    switches,
    fragments,
    idTruePositives: idTruePositives(kept),
    objects: tracksOf.size,
    tracks: [...tracksOf.values()].reduce((sum, { size }) => sum + size, 0),
  };
}

export function addCounts(all: readonly MotCounts[]): MotCounts {
  const sum = (of: keyof MotCounts) => all.reduce((total, counts) => total + counts[of], 0);
  return {
    truths: sum('truths'),
    tracked: sum('tracked'),
    missed: sum('missed'),
    falsePositives: sum('falsePositives'),
    switches: sum('switches'),
    fragments: sum('fragments'),
    idTruePositives: sum('idTruePositives'),
    objects: sum('objects'),
    tracks: sum('tracks'),
  };
}

/** 1 less misses, false positives and switches by truth: 1 at best, below 0 where mistakes outnumber truths. */
export function mota({ truths, missed, falsePositives, switches }: MotCounts): number {
  return 1 - (missed + falsePositives + switches) / truths;
}

/** Share of boxes that belong to the right identity, 0 to 1. */
export function idf1({ truths, tracked, idTruePositives }: MotCounts): number {
  return (2 * idTruePositives) / (truths + tracked);
}

function withoutIgnored({ truths, tracks }: JudgedFrame): JudgedFrame {
  if (!truths.some(({ isIgnored }) => isIgnored)) return { truths, tracks };
  const ignored = assign(
    truths.length,
    tracks.length,
    (row, column) => distance(truths[row]?.box, tracks[column]?.box),
    1 - minIou,
  )
    .filter(({ row }) => truths[row]?.isIgnored)
    .map(({ column }) => tracks[column]);
  return {
    truths: truths.filter(({ isIgnored }) => !isIgnored),
    tracks: tracks.filter((track) => !ignored.includes(track)),
  };
}

/** The track of each truth: pairs of the frame before stay while they overlap, the others are those that overlap most. */
function correspond({ truths, tracks }: JudgedFrame, last: ReadonlyMap<number, number>): Map<number, number> {
  const pairs = new Map<number, number>();
  for (const truth of truths) {
    const track = tracks.find(({ id }) => id === last.get(truth.id));
    if (track && distance(truth.box, track.box) < 1 - minIou) pairs.set(truth.id, track.id);
  }
  const kept = new Set(pairs.values());
  const openTruths = truths.filter(({ id }) => !pairs.has(id));
  const openTracks = tracks.filter(({ id }) => !kept.has(id));
  for (const { row, column } of assign(
    openTruths.length,
    openTracks.length,
    (row, column) => distance(openTruths[row]?.box, openTracks[column]?.box),
    1 - minIou,
  )) {
    const [truth, track] = [openTruths[row], openTracks[column]];
    if (truth && track) pairs.set(truth.id, track.id);
  }
  return pairs;
}

/** Frames in which whole trajectories of truths and tracks overlap, assigned one to one so that they are most. */
function idTruePositives(frames: readonly JudgedFrame[]): number {
  const together = new Map<number, Map<number, number>>();
  const trackIds = new Set<number>();
  for (const { truths, tracks } of frames) {
    for (const { id } of tracks) trackIds.add(id);
    for (const truth of truths) {
      const row = together.get(truth.id) ?? new Map<number, number>();
      together.set(truth.id, row);
      for (const { id, box } of tracks) {
        if (distance(truth.box, box) < 1 - minIou) row.set(id, (row.get(id) ?? 0) + 1);
      }
    }
  }
  const [rows, columns] = [[...together.values()], [...trackIds]];
  const cost = (row: number, column: number) => -(rows[row]?.get(columns[column] ?? -1) ?? 0);
  return assign(rows.length, columns.length, cost, 0).reduce((sum, pair) => sum - pair.cost, 0);
}

/** 1 less the IoU; pairs at IoU .5 count. */
function distance(a: Box | undefined, b: Box | undefined): number {
  return a && b ? 1 - boxIou(a, b) - 1e-9 : 1;
}
