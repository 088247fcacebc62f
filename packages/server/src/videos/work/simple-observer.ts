import type { Box } from '@lynceus/engine';
import type { TrackEvent, TrackState } from '../../streams/running/track-types.js';
import { createTracker, type TrackerOptions } from '../../streams/tracking/byte-tracker.js';
import type { TrackedObject } from '../../streams/tracking/track.js';

/** What was found in a frame, as tracks are made of it. */
export interface Look {
  readonly atMs: number;
  readonly width: number;
  readonly height: number;
  readonly detections: readonly { box: Box; score: number; label: { title: string } }[];
  readonly faces: readonly {
    readonly box: Box;
    readonly quality: number;
    readonly person: { readonly personId: number; readonly name: string; readonly similarity: number } | null;
  }[];
  readonly texts: readonly { readonly box: Box; readonly text: string; readonly score: number }[];
}

export interface TrackObserver {
  observe(look: Look): { readonly events: readonly TrackEvent[]; readonly tracks: readonly TrackState[] };
  end(atMs: number): readonly TrackEvent[];
}

/** Until tracks have votes. */
export function createSimpleObserver(options: Partial<TrackerOptions> = {}): TrackObserver {
  const tracker = createTracker(options);
  const best = new Map<number, number>();
  const open = new Map<number, TrackState>();
  const people = new Map<number, TrackState['person']>();
  const toState = (track: TrackedObject): TrackState => ({
    ...{ id: track.id, label: track.label, score: track.score, topScore: track.topScore, box: track.box },
    ...{ velocity: track.velocity, startedAtMs: track.startedAtMs, lastSeenAtMs: track.lastSeenAtMs },
    ...{ isStationary: track.isStationary, currentZones: [], enteredZones: [] },
    person: people.get(track.id) ?? null,
    texts: [],
  });
  return {
    observe(look) {
      const { tracks, started, ended } = tracker.update(look);
      for (const face of look.faces) {
        const { person, box } = face;
        const track = tracks.find(
          (each) => each.seen && each.box.xMin <= box.xMin && each.box.xMax >= box.xMax,
        );
        if (person && track)
          people.set(track.id, {
            personId: person.personId,
            name: person.name,
            score: person.similarity,
          });
      }
      const events: TrackEvent[] = [];
      for (const track of tracks.filter(({ isConfirmed, seen }) => isConfirmed && seen)) {
        const value = track.seen?.score ?? 0;
        const isBest = value > (best.get(track.id) ?? 0) * 1.05;
        if (isBest) best.set(track.id, value);
        const state = toState(track);
        open.set(track.id, state);
        const isStart = started.some(({ id }) => id === track.id);
        if (isStart || isBest)
          events.push({ kind: isStart ? 'start' : 'update', atMs: look.atMs, track: state, isBest });
      }
      for (const track of ended) {
        open.delete(track.id);
        events.push({ kind: 'end', atMs: look.atMs, track: toState(track) });
      }
      return { events, tracks: [...open.values()] };
    },
    end: (atMs) => [...open.values()].map((track) => ({ kind: 'end', atMs, track })),
  };
}
