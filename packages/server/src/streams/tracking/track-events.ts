import { createTracker, type TrackerOptions } from './byte-tracker.js';
import { type ObjectFilters, passesFilters } from './filter.js';
import { isWholeText, joinFaces, joinTexts } from './join.js';
import type { NameOptions } from './name-votes.js';
import { createObservedTrack, type ObservedTrack } from './observed-track.js';
import { createSceneReader } from './scene-texts.js';
import type { TrackedObject } from './track.js';
import type { Look, SceneText, TrackEvent, TrackState } from './track-state.js';
import { footOf, isMasked, type Mask, type Zone } from './zones.js';

export type { Look, SceneText, SeenFace, SeenText, TrackEvent, TrackState } from './track-state.js';

interface ObserverOptions {
  readonly tracker?: Partial<TrackerOptions>;
  readonly zones?: readonly Zone[];
  readonly masks?: readonly Mask[];
  readonly filters?: ObjectFilters;
  readonly names?: Partial<NameOptions>;
  /** Titles of the classes that have faces. */
  readonly faceClasses?: readonly string[];
  /** See `ObservedOptions`; 5000 by default. */
  readonly updateEveryMs?: number;
}

export interface Observation {
  /** In the order in which they happened. */
  readonly events: readonly TrackEvent[];
  /** Every track between its `start` and its `end`, those out of sight too. */
  readonly tracks: readonly TrackState[];
  /** Texts on no track that readings of this frame and earlier ones agree on for the first time. */
  readonly sceneTexts: readonly SceneText[];
}

export interface TrackObserver {
  /** Frames in their order; see `Tracker`. */
  observe(look: Look): Observation;
  /** The stream stops: ends all tracks. Those of a later `observe` are new ones. */
  end(atMs: number): readonly TrackEvent[];
  /**
   * The person that is followed is not this one: its votes are removed and it never wins. The next `observe` reports the change.
   * @returns whether there is such a track
   */
  refuse(trackId: number, personId: number): boolean;
}

const defaultUpdateEveryMs = 5000;
const defaultFaceClasses = ['person'];

/**
 * Turns the analysed frames of one camera into events of tracked objects: detections become tracks, faces and texts vote for the tracks
 * that contain them. A face on no person is left out; a text on no track is one of the scene.
 */
export function createTrackObserver(options: ObserverOptions = {}): TrackObserver {
  const { zones = [], masks = [], filters = {}, names = {}, faceClasses = defaultFaceClasses } = options;
  const updateEveryMs = options.updateEveryMs ?? defaultUpdateEveryMs;
  const tracker = createTracker(options.tracker);
  const observed = new Map<number, ObservedTrack>();
  const scene = createSceneReader();

  const end = (track: TrackedObject, atMs: number): TrackEvent[] => {
    const events = observed.get(track.id)?.end(atMs) ?? [];
    observed.delete(track.id);
    return events;
  };

  return {
    observe(look) {
      const { atMs, width, height } = look;
      const detections = look.detections.filter(
        ({ box, label }) => !isMasked(footOf(box, width, height), label.title, masks),
      );
      const { tracks, ended } = tracker.update({ atMs, width, height, detections });
      const seen = tracks.filter((track) => track.seen !== null);
      const faces = joinFaces(
        seen.filter(({ label }) => faceClasses.includes(label.title)),
        look.faces,
      );
      const texts = joinTexts(
        seen,
        look.texts.filter((text) => isWholeText(text, look)),
      );
      const events = ended.flatMap((track) => end(track, atMs));
      const ids = new Set(tracks.map(({ id }) => id));
      for (const id of observed.keys()) if (!ids.has(id)) observed.delete(id);
      for (const tracked of tracks) {
        const track =
          observed.get(tracked.id) ?? createObservedTrack(tracked, { zones, names, updateEveryMs });
        observed.set(tracked.id, track);
        events.push(
          ...track.observe({
            tracked,
            frame: look,
            face: faces.get(tracked.id) ?? null,
            texts: texts.filter(({ trackId }) => trackId === tracked.id).map(({ text }) => text),
            isWanted: tracked.isConfirmed && passesFilters(tracked, look, filters),
          }),
        );
      }
      return {
        events,
        tracks: [...observed.values()].flatMap(({ state }) => state ?? []),
        sceneTexts: scene.read(
          atMs,
          texts.filter(({ trackId }) => trackId === null).map(({ text }) => text),
        ),
      };
    },
    end: (atMs) => tracker.end().flatMap((track) => end(track, atMs)),
    refuse(trackId, personId) {
      const track = observed.get(trackId);
      track?.refuse(personId);
      return track !== undefined;
    },
  };
}
