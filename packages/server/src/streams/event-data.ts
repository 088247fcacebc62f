import type { Box } from '@lynceus/engine';

/** A box in pixels of the frame. */
export interface EventBox {
  readonly x_min: number;
  readonly y_min: number;
  readonly x_max: number;
  readonly y_max: number;
}

/**
 * What `stream_event.data` holds: how the track was when it happened, or for a text on no object, where `track_id` is null, the frame.
 * The same for the API, webhooks and MQTT. Boxes and sizes are pixels of the frame; times ISO 8601.
 */
export interface StreamEventData {
  readonly track_id: string | null;
  readonly label: string;
  /** 0 to 1; `top_score` is the best so far. */
  readonly score: number;
  readonly top_score: number;
  readonly box: EventBox;
  readonly width: number;
  readonly height: number;
  /** Pixels a second. */
  readonly velocity: { readonly x: number; readonly y: number };
  readonly stationary: boolean;
  readonly current_zones: readonly string[];
  readonly entered_zones: readonly string[];
  readonly person: { readonly id: number; readonly name: string; readonly score: number } | null;
  readonly texts: readonly string[];
  readonly started_at: string;
  readonly last_seen_at: string;
  readonly ended_at: string | null;
  /** Of the events `zone_entered` and `zone_left`. */
  readonly zone?: string;
  /** Of the event `text_read`. */
  readonly text?: string;
  readonly has_snapshot: boolean;
  readonly has_clip: boolean;
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
