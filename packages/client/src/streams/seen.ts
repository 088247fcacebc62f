import { type Moment, toMomentText } from '../account/moment.js';
import { type ListOptions, listed, type Page, type PageOptions, paged, walkPages } from '../account/pages.js';
import { toPathPart } from '../account/path-part.js';
import type { StreamEvent, StreamEventKind, StreamRefusedPerson, StreamTrack } from '../api-types.js';
import type { CallOptions } from '../options.js';
import { ask, type Send } from '../service/call.js';
import { checked } from '../service/checked.js';

/** Which events, or tracks, are wanted; all that is given must hold. */
export interface SeenFilter {
  readonly streamId?: number | undefined;
  /** Of the event, or of one of the track's. */
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
  /** The object alone. */
  readonly crop?: boolean | undefined;
  /** With its box and class. */
  readonly boxes?: boolean | undefined;
  /** The longer side in pixels, 32 to 8192. */
  readonly maxSide?: number | undefined;
}

const toQuery = (options: SeenFilter & PageOptions) => ({
  stream_id: options.streamId,
  kind: options.kind,
  label: options.label,
  person_id: options.personId,
  zone: options.zone,
  track_id: options.trackId,
  from: toMomentText(options.from),
  to: toMomentText(options.to),
  limit: options.limit,
  cursor: options.cursor,
});

const filter = {
  streamId: 'optional',
  kind: 'optional',
  label: 'optional',
  personId: 'optional',
  zone: 'optional',
  trackId: 'optional',
  from: 'optional',
  to: 'optional',
} as const;

/** What happened in streams. */
export function createStreamEvents(send: Send) {
  const page = async (options: SeenFilter & PageOptions = {}): Promise<Page<StreamEvent>> =>
    ask(send, { method: 'GET', path: '/api/stream-events', query: toQuery(options) }, options);
  const calls = {
    /** One page of `list`. */
    page,

    /** All events, the newest first, for `for await`. */
    list: (options: SeenFilter & ListOptions = {}) => walkPages((cursor) => page({ ...options, cursor })),
  };
  return checked('streamEvents', calls, {
    page: [0, { ...filter, ...paged }],
    list: [0, { ...filter, ...listed }, true],
  });
}

const tracksPath = '/api/stream-tracks';
const trackPath = (id: string) => `${tracksPath}/${toPathPart('id', id)}`;

/** Objects that were followed in streams. */
export function createStreamTracks(send: Send) {
  const page = async (options: SeenFilter & PageOptions = {}): Promise<Page<StreamTrack>> =>
    ask(send, { method: 'GET', path: tracksPath, query: toQuery(options) }, options);
  const calls = {
    /** One page of `list`. */
    page,

    /** All tracks, the newest first, for `for await`. */
    list: (options: SeenFilter & ListOptions = {}) => walkPages((cursor) => page({ ...options, cursor })),

    /** One object that was followed. */
    read: async (id: string, options: CallOptions = {}): Promise<StreamTrack> =>
      ask(send, { method: 'GET', path: trackPath(id) }, options),

    /** The best frame of an object, as it was or drawn; `not_found` where there is none. */
    readSnapshot: async (id: string, options: SnapshotOptions = {}): Promise<Blob> => {
      const query = { crop: options.crop, boxes: options.boxes, max_side: options.maxSide };
      const call = { method: 'GET', path: `${trackPath(id)}/snapshot.jpg`, query, wants: 'image' } as const;
      return ask(send, call, options);
    },

    /** The clip of an object as MP4, as it comes: read it to its end, or cancel it. */
    readClip: async (id: string, options: CallOptions = {}): Promise<ReadableStream<Uint8Array>> =>
      ask(send, { method: 'GET', path: `${trackPath(id)}/clip.mp4`, wants: 'video' }, options),

    /** Deletes what is known of one object: its events, snapshot and clip. */
    remove: async (id: string, options: CallOptions = {}): Promise<void> =>
      ask(send, { method: 'DELETE', path: trackPath(id) }, options),

    /** This is not X: takes the name from an object, and remembers its face as a correction of X. */
    refusePerson: async (id: string, options: CallOptions = {}): Promise<StreamRefusedPerson> =>
      ask(send, { method: 'POST', path: `${trackPath(id)}/not-person` }, options),
  };
  return checked('streamTracks', calls, {
    page: [0, { ...filter, ...paged }],
    list: [0, { ...filter, ...listed }, true],
    readSnapshot: [1, { crop: 'optional', boxes: 'optional', maxSide: 'optional' }],
  });
}
