import type { Box } from '@lynceus/engine';
import type { TrackEvent, TrackState } from '../../streams/running/track-types.js';
import { createKeyedIntervals } from './intervals.js';
import { type Interval, type Timeline, type TimelineTrack, timelineLimits } from './timeline.js';

export interface TimelineCollector {
  /** What happened to a track, in order; times are milliseconds from the beginning of the video. */
  observe(event: TrackEvent): void;
  /** Classes of a whole frame. */
  sawImage(atMs: number, labels: readonly string[]): void;
  /** Texts of a frame that are on no track. */
  sawTexts(atMs: number, texts: readonly { readonly text: string; readonly score: number }[]): void;
  /** The file that shows a track; before its end. */
  setThumbnail(trackId: number, thumbnailId: string): void;
  /** After the end of all tracks. */
  finish(): Timeline;
}

export interface CollectOptions {
  /** Pixels of the video for one of its frames. */
  readonly scale: number;
  /** What was seen in frames that are so close was seen all the time between. */
  readonly gapSeconds: number;
}

/** Read in one frame alone, a text of less than this score is taken for a mistake. */
const sureScore = 0.9;
/** Texts, and classes of whole images, are looked for once a second. */
const seldomSeconds = 2.5;

/** Gathers what a timeline holds, in bounded memory. */
export function createTimelineCollector({ scale, gapSeconds }: CollectOptions): TimelineCollector {
  const limits = {
    gapSeconds,
    maxKeys: timelineLimits.keys,
    maxIntervals: timelineLimits.intervalsOfKey,
  };
  const people = createKeyedIntervals<number>(limits);
  const classes = createKeyedIntervals<string>(limits);
  const seldom = { ...limits, gapSeconds: Math.max(gapSeconds, seldomSeconds) };
  const imageClasses = createKeyedIntervals<string>(seldom);
  const texts = createKeyedIntervals<string>(seldom);
  /** Texts that were read once, and not surely. */
  const unsure = new Map<string, Interval>();
  const best = new Map<number, { readonly atMs: number; readonly box: Box }>();
  const thumbnails = new Map<number, string>();
  const tracks: TimelineTrack[] = [];
  let isCut = false;

  const end = (track: TrackState): void => {
    const interval = {
      startSeconds: toSeconds(track.startedAtMs),
      endSeconds: toSeconds(track.lastSeenAtMs),
    };
    const label = track.label.title;
    const seen = best.get(track.id) ?? { atMs: track.lastSeenAtMs, box: track.box };
    const thumbnailId = thumbnails.get(track.id) ?? null;
    best.delete(track.id);
    thumbnails.delete(track.id);
    const read = track.texts.slice(0, timelineLimits.textsOfTrack).map(cutText);
    classes.add(label, interval);
    if (track.person) people.add(track.person.personId, interval);
    for (const text of read) texts.add(text, interval);
    if (tracks.length >= timelineLimits.tracks) {
      isCut = true;
      return;
    }
    const { person } = track;
    tracks.push({
      ...{ id: track.id, label, score: toThousandths(track.topScore) },
      ...interval,
      bestSeconds: toSeconds(seen.atMs),
      box: scaled(seen.box, scale),
      person: person && { id: person.personId, score: toThousandths(person.score) },
      ...{ texts: read, thumbnailId },
    });
  };

  return {
    observe({ kind, atMs, track, isBest }) {
      if (kind === 'end') end(track);
      else if (isBest || kind === 'start') best.set(track.id, { atMs, box: track.box });
    },

    sawImage(atMs, labels) {
      for (const label of labels) imageClasses.add(label, at(atMs));
    },

    sawTexts(atMs, lines) {
      for (const line of lines) {
        const text = cutText(line.text);
        const before = unsure.get(text);
        if (before) texts.add(text, before);
        unsure.delete(text);
        if (before || line.score >= sureScore || texts.has(text)) texts.add(text, at(atMs));
        else if (unsure.size < timelineLimits.keys) unsure.set(text, at(atMs));
      }
    },

    setThumbnail(trackId, thumbnailId) {
      thumbnails.set(trackId, thumbnailId);
    },

    finish: () => ({
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

function cutText(text: string): string {
  return text.length > timelineLimits.textLength ? `${text.slice(0, timelineLimits.textLength)}…` : text;
}
