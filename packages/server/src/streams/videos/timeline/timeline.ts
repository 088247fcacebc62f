import type { Box } from '@lynceus/engine';

/** Seconds from the beginning of a video. */
export interface Interval {
  readonly startSeconds: number;
  readonly endSeconds: number;
}

/** An object that was followed through a video. */
export interface TimelineTrack extends Interval {
  /** Unique in its timeline. */
  readonly id: number;
  readonly label: string;
  /** The best of its scores, 0 to 1. */
  readonly score: number;
  /** When it is seen best, and where: in pixels of the video. */
  readonly bestSeconds: number;
  readonly box: Box;
  /** Who it was taken for. A timeline keeps no names: whoever reads it finds those of people who still exist. */
  readonly person: { readonly id: number; readonly score: number } | null;
  /** Read on it. */
  readonly texts: readonly string[];
  /** The file that shows it; null beyond the limit. */
  readonly thumbnailId: string | null;
}

export interface TimelineSummary {
  /** Whether there were more tracks, texts or intervals than a timeline holds. */
  readonly isCut: boolean;
  readonly people: readonly { readonly id: number; readonly intervals: readonly Interval[] }[];
  readonly texts: readonly { readonly text: string; readonly intervals: readonly Interval[] }[];
  /** Of objects. */
  readonly classes: readonly { readonly label: string; readonly intervals: readonly Interval[] }[];
  /** Of whole images. */
  readonly imageClasses: readonly { readonly label: string; readonly intervals: readonly Interval[] }[];
}

/** What was found when in a video. */
export interface Timeline extends TimelineSummary {
  /** In the order in which they begin. */
  readonly tracks: readonly TimelineTrack[];
}

export const timelineLimits = {
  tracks: 10_000,
  thumbnails: 1_000,
  /** Texts, and classes, each with its intervals. */
  keys: 2_000,
  intervalsOfKey: 1_000,
  textsOfTrack: 20,
} as const;
