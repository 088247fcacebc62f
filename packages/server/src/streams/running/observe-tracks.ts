import type { StreamSettings } from '../stream-settings.js';
import { createTracker, trackerDefaults } from '../tracking/byte-tracker.js';
import type { TrackedObject } from '../tracking/track.js';
import type { TrackEvent, TrackObserver, TrackState } from './track-types.js';

/** Stands in for the observer of tracking/ until that is there. */
export function createTrackObserver(settings: StreamSettings): TrackObserver {
  const tracker = createTracker({
    ...trackerDefaults,
    stationaryAfterMs: settings.stationaryAfterSeconds * 1000,
  });
  const followed = new Map<number, { state: TrackState; best: number }>();
  const areaOf = ({ box, score }: TrackedObject) => (box.xMax - box.xMin) * (box.yMax - box.yMin) * score;
  const toState = (track: TrackedObject): TrackState => ({
    ...track,
    ...{ currentZones: [], enteredZones: [], person: null, texts: [] },
  });
  return {
    observe(look) {
      const { tracks, started, ended } = tracker.update(look);
      const events: TrackEvent[] = [];
      for (const track of started) {
        const state = toState(track);
        followed.set(track.id, { state, best: areaOf(track) });
        events.push({ kind: 'start', atMs: look.atMs, track: state, isBest: true });
      }
      for (const track of tracks) {
        const entry = followed.get(track.id);
        if (!entry) continue;
        entry.state = toState(track);
        if (!track.seen || areaOf(track) < entry.best * 1.2) continue;
        entry.best = areaOf(track);
        events.push({ kind: 'update', atMs: look.atMs, track: entry.state, isBest: true });
      }
      for (const track of ended) {
        followed.delete(track.id);
        events.push({ kind: 'end', atMs: look.atMs, track: toState(track) });
      }
      return { events, tracks: [...followed.values()].map(({ state }) => state) };
    },
    end(atMs) {
      const events = [...followed.values()].map(({ state }) => ({
        kind: 'end' as const,
        atMs,
        track: state,
      }));
      followed.clear();
      return events;
    },
    refuse: () => undefined,
  };
}
