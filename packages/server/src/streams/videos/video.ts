import { type Static, Type } from 'typebox';
import type { VideoSettings } from './video-settings.js';

/** What a video file says of itself: sizes in pixels as it is shown, after its rotation. */
export const VideoInfo = Type.Object({
  durationSeconds: Type.Number({ minimum: 0 }),
  width: Type.Integer({ minimum: 1 }),
  height: Type.Integer({ minimum: 1 }),
  /** Such as `h264`. */
  codec: Type.String(),
  /** Frames a second on average; 0 where the file does not say. */
  fps: Type.Number({ minimum: 0 }),
});
export type VideoInfo = Static<typeof VideoInfo>;

/** A video file that was uploaded or fetched, and what is looked for in it. Times are milliseconds since 1970. */
export interface Video {
  readonly id: number;
  readonly uid: string;
  readonly name: string;
  /** Where it comes from, without credentials; null for an upload. */
  readonly address: string | null;
  readonly settings: VideoSettings;
  /** Null while it is fetched. */
  readonly file: VideoFile | null;
  /** Null before it was looked at. */
  readonly info: VideoInfo | null;
  /** The file that says what was found when; null before. */
  readonly timelineId: string | null;
  readonly createdAt: number;
  /** Null: it is kept until it is deleted. */
  readonly expiresAt: number | null;
}

interface VideoFile {
  readonly id: string;
  /** Such as `video/mp4`. */
  readonly mediaType: string;
  readonly sizeBytes: number;
}

/** The work on a video: its subject is the number of the video. */
export const videoKind = 'video';
