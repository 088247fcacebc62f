import { bytes, number, oneOf, real, table, text } from './define-table.js';
/** A camera or another live source, and what is looked for in its frames. */
export const stream = table(
  {
    account_id: number().references('account', 'cascade'),
    id: number(),
    uid: text().unique(),
    name: text(),
    /** JSON, without secrets. */
    source: text(),
    /** JSON, encrypted with the key of the installation; null where the source needs none. */
    sealed_secrets: text().orNull(),
    /** JSON. */
    settings: text(),
    is_enabled: number<0 | 1>(),
    /** Counted up by each change, so that whoever runs the stream sees it. */
    revision: number(),
    created_at: number(),
    deleted_at: number().orNull(),
  },
  { key: ['account_id', 'id'], deleted: {} },
);

/** What the service that runs a stream says of it, every few seconds. */
export const streamState = table(
  {
    account_id: number(),
    stream_id: number(),
    state: text<StreamState>(),
    /** For its owner; null while all is well. */
    reason: text().orNull(),
    since: number(),
    /** Analysed frames a second over the last time, in thousandths. */
    analysed_millifps: number(),
    width: number().orNull(),
    height: number().orNull(),
    last_frame_at: number().orNull(),
    updated_at: number(),
  },
  {
    key: ['account_id', 'stream_id'],
    references: { stream: { column: 'stream_id', table: 'stream', cascade: true } },
    deleted: {},
  },
);
export type StreamState =
  | 'connecting'
  | 'running'
  /** Frames come and are all the same. */
  | 'frozen'
  /** No frames come. */
  | 'away'
  /** Outside of its schedule. */
  | 'resting'
  /** All places for streams are taken. */
  | 'waiting'
  | 'stopped';

/** The last frame of a stream that is watched through another service than the one that runs it. */
export const streamPreview = table(
  {
    account_id: number(),
    stream_id: number(),
    /** Somebody watches until then. */
    watched_until: number(),
    at: number().orNull(),
    jpeg: bytes().orNull(),
    /** JSON: the frame's result as general recognition answers it, and its marks. */
    result: text().orNull(),
  },
  {
    key: ['account_id', 'stream_id'],
    references: { stream: { column: 'stream_id', table: 'stream', cascade: true } },
    deleted: {},
  },
);

/** An object that was followed through the frames of a stream. */
export const streamTrack = table(
  {
    id: text().primaryKey(),
    account_id: number(),
    stream_id: number(),
    label: text(),
    score: real(),
    top_score: real(),
    started_at: number(),
    last_seen_at: number(),
    /** Null while it is followed. */
    ended_at: number().orNull(),
    is_stationary: number<0 | 1>(),
    person_id: number().orNull(),
    person_name: text().orNull(),
    person_score: real().orNull(),
    /** JSON: `{box, width, height, currentZones, enteredZones, texts}`; box and size in pixels of the frame. */
    details: text(),
    snapshot_id: text().orNull(),
    clip_id: text().orNull(),
    /** From then on it is hidden, and deleted with its files by a sweep. */
    deleted_at: number().orNull(),
  },
  {
    references: { stream: { column: 'stream_id', table: 'stream' } },
    indexes: {
      deleted: { columns: ['deleted_at'], where: 'deleted_at is not null' },
      label: ['account_id', 'label', 'started_at', 'id'],
      newest: ['account_id', 'started_at', 'id'],
      of_stream: ['account_id', 'stream_id', 'started_at', 'id'],
      open: { columns: ['account_id', 'stream_id'], where: 'ended_at is null' },
      person: ['account_id', 'person_id'],
    },
    deleted: { order: ['account_id', 'started_at', 'id'] },
    triggers: forgetPeople,
  },
);

/** What happened to a track; never changed. */
export const streamEvent = table(
  {
    account_id: number(),
    /** Counted up in each account in the order of commits. */
    seq: number(),
    stream_id: number(),
    /** Null for what belongs to no track. */
    track_id: text().orNull().references('stream_track', 'cascade'),
    kind: text<StreamEventKind>(),
    at: number(),
    /** JSON. */
    data: text(),
  },
  {
    key: ['account_id', 'seq'],
    references: { stream: { column: 'stream_id', table: 'stream' } },
    indexes: {
      newest: ['account_id', 'at', 'seq'],
      of_stream: ['account_id', 'stream_id', 'at', 'seq'],
      of_track: ['track_id', 'seq'],
    },
    deleted: {},
  },
);
export type StreamEventKind =
  | 'start'
  | 'update'
  | 'end'
  | 'zone_entered'
  | 'zone_left'
  | 'person_recognised'
  | 'text_read';

/** Where events are sent: a webhook, or an MQTT broker. */
export const streamOutput = table(
  {
    account_id: number().references('account', 'cascade'),
    id: number(),
    uid: text().unique(),
    name: text(),
    kind: oneOf('webhook', 'mqtt'),
    /** JSON, without secrets. */
    settings: text(),
    sealed_secrets: text().orNull(),
    is_enabled: number<0 | 1>(),
    revision: number(),
    /** The last event that was delivered, or is not for it. */
    delivered_seq: number(),
    failing_since: number().orNull(),
    /** Why it failed last; for its owner. */
    error: text().orNull(),
    /** Events given up after the time for retries. */
    given_up: number(),
    created_at: number(),
    deleted_at: number().orNull(),
  },
  { key: ['account_id', 'id'], deleted: {} },
);

/** Where an MQTT broker keeps something of an output. */
export const streamOutputTopic = table(
  {
    account_id: number(),
    output_id: number(),
    /** Its address. */
    broker: text(),
    topic: text(),
  },
  {
    references: { output: { column: 'output_id', table: 'stream_output', cascade: true } },
    indexes: { of_output: ['account_id', 'output_id'] },
    deleted: { key: ['account_id', 'output_id', 'broker', 'topic'] },
  },
);

/** Frames that were analysed, counted ahead in blocks. */
export const streamFrames = table(
  {
    account_id: number().references('account', 'cascade'),
    /** Such as `2026-11-25`, UTC. */
    day: text(),
    frames: number(),
  },
  { key: ['account_id', 'day'], deleted: {} },
);

/** A video file that was uploaded or fetched, and what is in it. */
export const video = table(
  {
    account_id: number().references('account', 'cascade'),
    id: number(),
    uid: text().unique(),
    name: text(),
    /** Where it comes from; null for an upload. Without credentials. */
    address: text().orNull(),
    sealed_secrets: text().orNull(),
    /** JSON. */
    settings: text(),
    /** JSON: duration, size, codec; null before it was looked at. */
    info: text().orNull(),
    /** Its file; null while that is fetched. */
    file_id: text().orNull(),
    /** The file that says what was found when; null before. */
    timeline_id: text().orNull(),
    created_at: number(),
    expires_at: number().orNull(),
    deleted_at: number().orNull(),
  },
  {
    key: ['account_id', 'id'],
    indexes: { expiry: { columns: ['expires_at'], where: 'expires_at is not null' } },
    deleted: {},
  },
);

/** Files of streams and videos: each row names one. */
export const mediaBlob = table(
  {
    blob_id: text().primaryKey(),
    account_id: number(),
    kind: oneOf('snapshot', 'clip', 'video', 'thumbnail', 'timeline'),
    track_id: text().orNull().references('stream_track'),
    video_id: number().orNull(),
    /** Who is seen in a thumbnail; null for nobody that has a name. */
    person_id: number().orNull(),
    media_type: text(),
    size_bytes: number(),
    created_at: number(),
  },
  {
    references: { video: { column: 'video_id', table: 'video' } },
    indexes: {
      account: ['account_id', 'kind', 'created_at', 'blob_id'],
      person: { columns: ['account_id', 'person_id'], where: 'person_id is not null' },
      track: ['track_id'],
      video: ['account_id', 'video_id'],
    },
    deleted: { order: ['account_id', 'kind', 'created_at', 'blob_id'], bytes: 'size_bytes' },
  },
);

/** Tracks of a person are hidden in the unit that deletes the person; a sweep deletes them with their files. */
function forgetPeople(isSqlite: boolean): readonly string[] {
  const hide = (nowMs: string) =>
    `update stream_track set deleted_at = ${nowMs}
     where account_id = old.account_id and person_id = old.id and deleted_at is null`;
  if (isSqlite) {
    return [
      `create trigger stream_track_person_removed after delete on person for each row
       begin ${hide("cast(unixepoch('subsec') * 1000 as integer)")}; end`,
    ];
  }
  return [
    `create function stream_track_person_removed() returns trigger language plpgsql as $$
     begin
       ${hide('(extract(epoch from clock_timestamp()) * 1000)::bigint')};
       return null;
     end $$`,
    `create trigger stream_track_person_removed after delete on person
     for each row execute function stream_track_person_removed()`,
  ];
}
