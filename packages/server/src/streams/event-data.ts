import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { StreamEventKind } from '../storage/tables/streams.js';

export const streamEventKinds = [
  ...(['start', 'update', 'end', 'zone_entered', 'zone_left'] as const),
  ...(['person_recognised', 'text_read'] as const),
] satisfies readonly StreamEventKind[];

const OrNull = <T extends Parameters<typeof Type.Union>[0][number]>(type: T) =>
  Type.Union([type, Type.Null()]);

/** What `stream_event.data` holds: the state of the track at the event. Boxes and sizes are pixels of the frame; times ISO 8601. */
export const StreamEventData = Type.Object({
  track_id: OrNull(Type.String()),
  label: Type.String(),
  score: Type.Number(),
  top_score: Type.Number(),
  box: Type.Object({
    x_min: Type.Number(),
    y_min: Type.Number(),
    x_max: Type.Number(),
    y_max: Type.Number(),
  }),
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
  zone: Type.Optional(Type.String()),
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
