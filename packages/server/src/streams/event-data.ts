import type { Box } from '@lynceus/engine';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';

const OrNull = <T extends Parameters<typeof Type.Union>[0][number]>(type: T) =>
  Type.Union([type, Type.Null()]);

/** A box in pixels of the frame. */
const EventBox = Type.Object({
  x_min: Type.Number(),
  y_min: Type.Number(),
  x_max: Type.Number(),
  y_max: Type.Number(),
});
export type EventBox = Static<typeof EventBox>;

/**
 * What `stream_event.data` holds: how the track was when it happened, or for a text on no object, where `track_id` is null, the frame.
 * The same for the API, webhooks and MQTT. Boxes and sizes are pixels of the frame; times ISO 8601.
 */
export const StreamEventData = Type.Object({
  track_id: OrNull(Type.String()),
  label: Type.String(),
  /** 0 to 1; `top_score` is the best so far. */
  score: Type.Number(),
  top_score: Type.Number(),
  box: EventBox,
  width: Type.Number(),
  height: Type.Number(),
  /** Pixels a second. */
  velocity: Type.Object({ x: Type.Number(), y: Type.Number() }),
  stationary: Type.Boolean(),
  current_zones: Type.Array(Type.String()),
  entered_zones: Type.Array(Type.String()),
  person: OrNull(Type.Object({ id: Type.Integer(), name: Type.String(), score: Type.Number() })),
  texts: Type.Array(Type.String()),
  started_at: Type.String(),
  last_seen_at: Type.String(),
  ended_at: OrNull(Type.String()),
  /** Of the events `zone_entered` and `zone_left`. */
  zone: Type.Optional(Type.String()),
  /** Of the event `text_read`. */
  text: Type.Optional(Type.String()),
  has_snapshot: Type.Boolean(),
  has_clip: Type.Boolean(),
});
export type StreamEventData = Static<typeof StreamEventData>;

/** Of a row; null for what another version wrote and this one does not know. Fields that are unknown here stay. */
export function readEventData(text: string): StreamEventData | null {
  const data: unknown = JSON.parse(text);
  return Value.Check(StreamEventData, data) ? data : null;
}

/** `stream_track.details`. Whoever changes it keeps what it does not know. */
export interface TrackDetails {
  /** Where the object is in its snapshot; without one, where it was seen last. In pixels of a frame of this size. */
  readonly box: EventBox;
  readonly width: number;
  readonly height: number;
  readonly currentZones: readonly string[];
  readonly enteredZones: readonly string[];
  readonly texts: readonly string[];
  /** People that it is not, by their ids. */
  readonly refused?: readonly number[];
  /** Events of the track so far. */
  readonly events: number;
}

export function toEventBox({ xMin, yMin, xMax, yMax }: Box): EventBox {
  return { x_min: tenth(xMin), y_min: tenth(yMin), x_max: tenth(xMax), y_max: tenth(yMax) };
}

/** Pixels with one decimal. */
export function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}

/** A score with four decimals. */
export function roundScore(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
