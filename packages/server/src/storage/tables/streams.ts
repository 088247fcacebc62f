/** A camera or another live source, and what is looked for in its frames. */
export interface StreamTable {
  account_id: number;
  id: number;
  uid: string;
  name: string;
  /** JSON, without secrets. */
  source: string;
  /** JSON, encrypted with the key of the installation; null where the source needs none. */
  sealed_secrets: string | null;
  /** JSON. */
  settings: string;
  is_enabled: 0 | 1;
  /** Counted up by each change, so that whoever runs the stream sees it. */
  revision: number;
  created_at: number;
  deleted_at: number | null;
}

/** What the service that runs a stream says of it, every few seconds. */
export interface StreamStateTable {
  account_id: number;
  stream_id: number;
  state: StreamState;
  /** For its owner; null while all is well. */
  reason: string | null;
  since: number;
  /** Analysed frames a second over the last time, in thousandths. */
  analysed_millifps: number;
  width: number | null;
  height: number | null;
  last_frame_at: number | null;
  updated_at: number;
}
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
export interface StreamPreviewTable {
  account_id: number;
  stream_id: number;
  /** Somebody watches until then. */
  watched_until: number;
  at: number | null;
  jpeg: Uint8Array | null;
  /** JSON: the frame's result as general recognition answers it, and its marks. */
  result: string | null;
}

/** An object that was followed through the frames of a stream. */
export interface StreamTrackTable {
  id: string;
  account_id: number;
  stream_id: number;
  label: string;
  score: number;
  top_score: number;
  started_at: number;
  last_seen_at: number;
  /** Null while it is followed. */
  ended_at: number | null;
  is_stationary: 0 | 1;
  person_id: number | null;
  person_name: string | null;
  person_score: number | null;
  /** JSON: `{box, width, height, currentZones, enteredZones, texts}`; box and size in pixels of the frame. */
  details: string;
  snapshot_id: string | null;
  clip_id: string | null;
  /** From then on it is hidden, and deleted with its files by a sweep. */
  deleted_at: number | null;
}

/** What happened to a track; never changed. */
export interface StreamEventTable {
  account_id: number;
  /** Counted up in each account in the order of commits. */
  seq: number;
  stream_id: number;
  /** Null for what belongs to no track. */
  track_id: string | null;
  kind: StreamEventKind;
  at: number;
  /** JSON. */
  data: string;
}
export type StreamEventKind =
  | 'start'
  | 'update'
  | 'end'
  | 'zone_entered'
  | 'zone_left'
  | 'person_recognised'
  | 'text_read';

/** Where events are sent: a webhook, or an MQTT broker. */
export interface StreamOutputTable {
  account_id: number;
  id: number;
  uid: string;
  name: string;
  kind: 'webhook' | 'mqtt';
  /** JSON, without secrets. */
  settings: string;
  sealed_secrets: string | null;
  is_enabled: 0 | 1;
  revision: number;
  /** The last event that was delivered, or is not for it. */
  delivered_seq: number;
  failing_since: number | null;
  /** Why it failed last; for its owner. */
  error: string | null;
  /** Events given up after the time for retries. */
  given_up: number;
  created_at: number;
  deleted_at: number | null;
}

/** Where an MQTT broker keeps something of an output. */
export interface StreamOutputTopicTable {
  account_id: number;
  output_id: number;
  /** Its address. */
  broker: string;
  topic: string;
}

/** Frames that were analysed, counted ahead in blocks. */
export interface StreamFramesTable {
  account_id: number;
  /** Such as `2026-11-25`, UTC. */
  day: string;
  frames: number;
}

/** A video file that was uploaded or fetched, and what is in it. */
export interface VideoTable {
  account_id: number;
  id: number;
  uid: string;
  name: string;
  /** Where it comes from; null for an upload. Without credentials. */
  address: string | null;
  sealed_secrets: string | null;
  /** JSON. */
  settings: string;
  /** JSON: duration, size, codec; null before it was looked at. */
  info: string | null;
  /** Its file; null while that is fetched. */
  file_id: string | null;
  /** The file that says what was found when; null before. */
  timeline_id: string | null;
  created_at: number;
  expires_at: number | null;
  deleted_at: number | null;
}

/** Files of streams and videos: each row names one. */
export interface MediaBlobTable {
  blob_id: string;
  account_id: number;
  kind: 'snapshot' | 'clip' | 'video' | 'thumbnail' | 'timeline';
  track_id: string | null;
  video_id: number | null;
  /** Who is seen in a thumbnail; null for nobody that has a name. */
  person_id: number | null;
  media_type: string;
  size_bytes: number;
  created_at: number;
}
