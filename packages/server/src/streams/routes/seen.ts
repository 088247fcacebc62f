import { type Static, Type } from 'typebox';
import { toAnswer } from '../../http/api/answer.js';
import { fromTime, Id, Time, TimeInput, TimeOrNull, toTime } from '../../http/api/fields.js';
import type { StreamEventData } from '../event-data.js';
import { StreamEventKind } from '../event-kind.js';
import type { StreamEvent as DomainEvent } from '../events.js';
import type { SeenFilter } from '../seen-filter.js';
import type { Track as DomainTrack } from '../tracks.js';

export const TrackId = Type.String({
  pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
  description: 'the id of a track',
});
const Label = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[^\\u0000]*$',
  description: 'a class, such as "person"',
});
const Zone = Type.String({
  minLength: 1,
  maxLength: 60,
  pattern: '^[^\\u0000]*$',
  description: 'the name of a zone that the object entered',
});

/** Fields of the queries of lists. */
export const seenQuery = {
  stream_id: Type.Optional(Id),
  kind: Type.Optional(StreamEventKind),
  label: Type.Optional(Label),
  person_id: Type.Optional(Id),
  zone: Type.Optional(Zone),
  track_id: Type.Optional(TrackId),
  from: Type.Optional(TimeInput('from when on')),
  to: Type.Optional(TimeInput('before when')),
};

type SeenQuery = { readonly [Name in keyof typeof seenQuery]?: Static<(typeof seenQuery)[Name]> | undefined };

/** Throws `wrong_parameters` for a moment that does not exist. */
export function toFilter(query: SeenQuery): SeenFilter {
  const { stream_id: streamId, person_id: personId, track_id: trackId, kind, label, zone, from, to } = query;
  return {
    ...{ streamId, personId, trackId, kind, label, zone },
    fromMs: from === undefined ? undefined : fromTime('from', from),
    beforeMs: to === undefined ? undefined : fromTime('to', to),
  };
}

const ScoreOf = (text: string) => Type.Number({ description: `from 0 to 1, ${text}` });
const size = { width: Type.Integer(), height: Type.Integer() };

/** What an event and a track have in common. */
const seen = {
  label: Type.String({ examples: ['person'] }),
  score: ScoreOf('as seen last'),
  top_score: ScoreOf('at best'),
  box: Type.Object(
    { x_min: Type.Number(), y_min: Type.Number(), x_max: Type.Number(), y_max: Type.Number() },
    { title: 'StreamBox', description: 'in pixels of a frame of this width and height' },
  ),
  ...size,
  stationary: Type.Boolean(),
  current_zones: Type.Array(Type.String()),
  entered_zones: Type.Array(Type.String()),
  person: Type.Union(
    [
      Type.Object(
        { id: Id, name: Type.String(), score: ScoreOf('by all looks together') },
        { title: 'StreamPerson' },
      ),
      Type.Null(),
    ],
    { description: 'where the stream names people' },
  ),
  texts: Type.Array(Type.String()),
  started_at: Time,
  last_seen_at: Time,
  ended_at: TimeOrNull,
  has_snapshot: Type.Boolean(),
  has_clip: Type.Boolean(),
};

export const StreamEvent = Type.Object(
  {
    seq: Type.Integer({ description: 'counted up in the account, in the order in which events are stored' }),
    stream_id: Id,
    kind: StreamEventKind,
    at: Time,
    track_id: Type.Union([Type.String(), Type.Null()]),
    ...seen,
    velocity: Type.Object(
      { x: Type.Number(), y: Type.Number() },
      { description: 'pixels a second, to the right and down' },
    ),
    zone: Type.Optional(Type.String({ description: 'of zone_entered and zone_left' })),
    text: Type.Optional(Type.String({ description: 'of text_read' })),
  },
  { title: 'StreamEvent', description: 'What happened to an object in a stream, and how it was then' },
);

export const StreamTrack = Type.Object(
  { id: TrackId, stream_id: Id, ...seen },
  { title: 'StreamTrack', description: 'An object that was followed through the frames of a stream' },
);

type PlainEvent = Static<typeof StreamEvent>;

export function toEvent({ seq, streamId, kind, at, data }: DomainEvent): PlainEvent {
  return { ...plain(data), seq, stream_id: streamId, kind, at: toTime(at) };
}

/** The same lists, which may be changed. */
function plain({ current_zones, entered_zones, texts, ...data }: StreamEventData) {
  return {
    ...data,
    current_zones: [...current_zones],
    entered_zones: [...entered_zones],
    texts: [...texts],
  };
}

export function toTrack(track: DomainTrack): Static<typeof StreamTrack> {
  const { isStationary, snapshotId, clipId } = track;
  return toAnswer(StreamTrack, track, {
    stationary: isStationary,
    has_snapshot: snapshotId !== null,
    has_clip: clipId !== null,
  });
}
