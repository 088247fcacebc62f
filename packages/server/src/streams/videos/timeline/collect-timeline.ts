import type { Box } from '@lynceus/engine';
import { isReadingOf } from '../../tracking/text-votes.js';
import type { SceneText, SeenText, TrackEvent, TrackState } from '../../tracking/track-state.js';
import { createKeyedIntervals } from './intervals.js';
import { type Interval, type Timeline, type TimelineTrack, timelineLimits } from './timeline.js';

/** What one frame showed, by the observer of tracks; times are milliseconds from the beginning of the video. */
export interface CollectedFrame {
  readonly atMs: number;
  readonly events: readonly TrackEvent[];
  /** All that are followed. */
  readonly tracks: readonly TrackState[];
  /** Those on no track, as they were read. */
  readonly texts: readonly SeenText[];
  /** Those of them that readings agree on now for the first time. */
  readonly sceneTexts: readonly SceneText[];
  /** Classes of the whole image. */
  readonly imageClasses: readonly string[];
}

export type TimelineCollector = ReturnType<typeof createTimelineCollector>;

export interface CollectOptions {
  /** Pixels of the video for one of its frames. */
  readonly scale: number;
  /** Frames a second that are analysed. */
  readonly fps: number;
}

interface Draft {
  best: { readonly atMs: number; readonly box: Box };
  /** While it was seen; in their order. */
  readonly seen: Interval[];
}

/** Missing in up to so many frames, an object was there all the time. */
const missedFrames = 2;
const leastGapSeconds = 1;
/** Texts, and classes of whole images, are looked for once a second. */
const seldomGapSeconds = 2.5;
/** Readings that may turn out to be of a text that others agree on. */
const keptReadings = 300;

/** Gathers what a timeline holds, in bounded memory. */
export function createTimelineCollector({ scale, fps }: CollectOptions) {
  const gapSeconds = Math.max(leastGapSeconds, (missedFrames + 0.5) / fps);
  const limits = { maxKeys: timelineLimits.keys, maxIntervals: timelineLimits.intervalsOfKey };
  const often = { ...limits, gapSeconds };
  const seldom = { ...limits, gapSeconds: Math.max(gapSeconds, seldomGapSeconds) };
  const people = createKeyedIntervals<number>(often);
  const classes = createKeyedIntervals<string>(often);
  const imageClasses = createKeyedIntervals<string>(seldom);
  const texts = createKeyedIntervals<string>(seldom);
  const sceneTexts: string[] = [];
  let readings: { readonly text: string; readonly atMs: number }[] = [];
  const drafts = new Map<number, Draft>();
  const thumbnails = new Map<number, string>();
  const tracks: TimelineTrack[] = [];
  let isCut = false;

  const see = ({ seen }: Draft, fromMs: number, toMs: number) => {
    const last = seen.at(-1);
    const [startSeconds, endSeconds] = [toSeconds(fromMs), toSeconds(toMs)];
    if (last && startSeconds - last.endSeconds <= gapSeconds) seen[seen.length - 1] = { ...last, endSeconds };
    else if (seen.length < timelineLimits.intervalsOfKey) seen.push({ startSeconds, endSeconds });
    else isCut = true;
  };

  const finishTrack = (track: TrackState) => {
    const draft = drafts.get(track.id);
    if (draft === undefined) return;
    const thumbnailId = thumbnails.get(track.id) ?? null;
    drafts.delete(track.id);
    thumbnails.delete(track.id);
    const { person } = track;
    const label = track.label.title;
    const read = track.texts.slice(0, timelineLimits.textsOfTrack);
    for (const interval of draft.seen) {
      classes.add(label, interval);
      if (person) people.add(person.personId, interval);
      for (const text of read) texts.add(text, interval);
    }
    if (tracks.length >= timelineLimits.tracks) {
      isCut = true;
      return;
    }
    tracks.push({
      ...{ id: track.id, label, score: toThousandths(track.topScore) },
      startSeconds: toSeconds(track.startedAtMs),
      endSeconds: toSeconds(track.lastSeenAtMs),
      bestSeconds: toSeconds(draft.best.atMs),
      box: scaled(draft.best.box, scale),
      person: person && { id: person.personId, score: toThousandths(person.score) },
      ...{ texts: read, thumbnailId },
    });
  };

  const observe = ({ kind, atMs, track, isBest }: TrackEvent) => {
    const best = { atMs, box: track.box };
    const draft = drafts.get(track.id);
    if (kind === 'end') finishTrack(track);
    else if (draft === undefined) {
      const started = { best, seen: [] };
      drafts.set(track.id, started);
      see(started, track.startedAtMs, atMs);
    } else if (isBest) draft.best = best;
  };

  const read = ({ atMs, texts: lines, sceneTexts: agreed }: CollectedFrame) => {
    const add = (text: string, ms: number) => {
      const known = sceneTexts.find((each) => isReadingOf(text, each));
      if (known !== undefined) texts.add(known, at(ms));
      return known !== undefined;
    };
    if (agreed.length > 0) {
      sceneTexts.push(...agreed.map(({ text }) => text));
      readings = readings.filter(({ text, atMs: readAtMs }) => !add(text, readAtMs));
    }
    for (const { text } of lines) {
      if (!add(text.trim(), atMs)) readings.push({ text: text.trim(), atMs });
    }
    readings = readings.slice(-keptReadings);
  };

  return {
    /** Frames in their order. */
    add(frame: CollectedFrame) {
      for (const event of frame.events) observe(event);
      for (const { id, lastSeenAtMs } of frame.tracks) {
        const draft = drafts.get(id);
        if (draft && lastSeenAtMs === frame.atMs) see(draft, frame.atMs, frame.atMs);
      }
      read(frame);
      for (const label of frame.imageClasses) imageClasses.add(label, at(frame.atMs));
    },

    /** After the last frame: the events that end all tracks. */
    end(events: readonly TrackEvent[]) {
      for (const event of events) observe(event);
    },

    /** The file that shows a track; before its end. */
    setThumbnail(trackId: number, thumbnailId: string) {
      thumbnails.set(trackId, thumbnailId);
    },

    finish: (): Timeline => ({
      isCut: isCut || [people, classes, imageClasses, texts].some((each) => each.isCut),
      people: people.list().map(([id, intervals]) => ({ id, intervals })),
      texts: texts.list().map(([text, intervals]) => ({ text, intervals })),
      classes: classes.list().map(([label, intervals]) => ({ label, intervals })),
      imageClasses: imageClasses.list().map(([label, intervals]) => ({ label, intervals })),
      tracks: tracks.toSorted((a, b) => a.startSeconds - b.startSeconds || a.id - b.id),
    }),
  };
}

function at(atMs: number): Interval {
  const seconds = toSeconds(atMs);
  return { startSeconds: seconds, endSeconds: seconds };
}

/** By whole milliseconds. */
function toSeconds(ms: number): number {
  return Math.max(0, Math.round(ms)) / 1000;
}

function toThousandths(value: number): number {
  return Math.round(value * 1000) / 1000;
}

function scaled({ xMin, yMin, xMax, yMax }: Box, scale: number): Box {
  const pixels = (value: number) => Math.round(value * scale * 10) / 10;
  return { xMin: pixels(xMin), yMin: pixels(yMin), xMax: pixels(xMax), yMax: pixels(yMax) };
}
