import { type Moment, toMomentText } from '../account/moment.js';
import { type ListOptions, type Page, type PageOptions, walkPages } from '../account/pages.js';
import { toPathPart } from '../account/path-part.js';
import type { StreamEvent, StreamEventKind, StreamRefusedPerson, StreamTrack } from '../api-types.js';
import type { CallOptions } from '../options.js';
import { ask, type Send } from '../service/call.js';

/** Events, and tracks to which such an event happened. */
export interface StreamTrackFilter {
  readonly streamId?: number | undefined;
  readonly kind?: StreamEventKind | undefined;
  /** A class, such as `person`. */
  readonly label?: string | undefined;
  readonly personId?: number | undefined;
  /** The name of a zone that the object entered. */
  readonly zone?: string | undefined;
  readonly trackId?: string | undefined;
  /** From then on. */
  readonly from?: Moment | undefined;
  /** Before then. */
  readonly to?: Moment | undefined;
}

export interface SnapshotOptions extends CallOptions {
  /** Whether it shows the object alone. */
  readonly crop?: boolean | undefined;
  /** Whether the box and class of the object are drawn. */
  readonly boxes?: boolean | undefined;
  /** Of the longer side, in pixels: 32 to 8192; it is not enlarged. */
  readonly maxSide?: number | undefined;
}

const path = '/api/stream-tracks';
const pathOf = (id: string) => `${path}/${toPathPart('id', id)}`;

/** Objects that were followed through the frames of streams. */
export function createStreamTracks(send: Send) {
  const page = async (options: StreamTrackFilter & PageOptions = {}): Promise<Page<StreamTrack>> =>
    ask(send, { method: 'GET', path, query: toQuery(options) }, options);
  return {
    /** One page of `list`. */
    page,

    /** All tracks, the newest first, for `for await`. */
    list: (options: StreamTrackFilter & ListOptions = {}) =>
      walkPages((cursor) => page({ ...options, cursor })),

    /** One track. */
    read: async (id: string, options: CallOptions = {}): Promise<StreamTrack> =>
      ask(send, { method: 'GET', path: pathOf(id) }, options),

    /** Deletes a track with its events, snapshot and clip. */
    remove: async (id: string, options: CallOptions = {}): Promise<void> =>
      ask(send, { method: 'DELETE', path: pathOf(id) }, options),

    /** The best frame of a track as JPEG; `not_found` where there is none. */
    readSnapshot: async (id: string, options: SnapshotOptions = {}): Promise<Blob> => {
      const { crop, boxes, maxSide: max_side } = options;
      const query = { crop, boxes, max_side };
      const call = { method: 'GET', path: `${pathOf(id)}/snapshot.jpg`, query, wants: 'image' } as const;
      return ask(send, call, options);
    },

    /** The clip of a track as MP4, as it comes: read it to its end, or cancel it. `not_found` where there is none. */
    readClip: async (id: string, options: CallOptions = {}): Promise<ReadableStream<Uint8Array>> =>
      ask(send, { method: 'GET', path: `${pathOf(id)}/clip.mp4`, wants: 'video' }, options),

    /** Takes the name from a track, and remembers its face as a correction of that person. */
    refusePerson: async (id: string, options: CallOptions = {}): Promise<StreamRefusedPerson> =>
      ask(send, { method: 'POST', path: `${pathOf(id)}/not-person` }, options),
  };
}

/** What happened in streams. */
export function createStreamEvents(send: Send) {
  const page = async (options: StreamTrackFilter & PageOptions = {}): Promise<Page<StreamEvent>> =>
    ask(send, { method: 'GET', path: '/api/stream-events', query: toQuery(options) }, options);
  return {
    /** One page of `list`. */
    page,

    /** All events, the newest first, for `for await`. */
    list: (options: StreamTrackFilter & ListOptions = {}) =>
      walkPages((cursor) => page({ ...options, cursor })),
  };
}

function toQuery({
  streamId,
  kind,
  label,
  personId,
  zone,
  trackId,
  from,
  to,
  limit,
  cursor,
}: StreamTrackFilter & PageOptions) {
  return {
    stream_id: streamId,
    kind,
    label,
    person_id: personId,
    zone,
    track_id: trackId,
    from: toMomentText(from),
    to: toMomentText(to),
    limit,
    cursor,
  };
}
