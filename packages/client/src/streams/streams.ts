import { type ListOptions, type Page, type PageOptions, walkPages } from '../account/pages.js';
import { toPathPart } from '../account/path-part.js';
import type {
  Recognition,
  Stream,
  StreamReceipt,
  StreamSettingsInput,
  StreamSourceInput,
  StreamViewToken,
  TestedStreamSource,
} from '../api-types.js';
import type { CallOptions } from '../options.js';
import { ask, type Send } from '../service/call.js';
import { readEvents } from '../service/read-events.js';

export interface ChangeStreamOptions extends CallOptions {
  /** 1 to 200 characters. */
  readonly name?: string | undefined;
  /** In the place of the one that there is; a password that is left out stays while host and user name do. */
  readonly source?: StreamSourceInput | undefined;
  /** Those that are left out stay as they are. */
  readonly settings?: StreamSettingsInput | undefined;
  /** False: it is not run. */
  readonly enabled?: boolean | undefined;
}

export interface CreateStreamOptions extends ChangeStreamOptions {
  readonly name: string;
  readonly source: StreamSourceInput;
}

export interface ViewTokenOptions extends CallOptions {
  /** For which it is good, 1 to 3600; 600 unless given. */
  readonly seconds?: number | undefined;
}

<<<<<<< HEAD
export interface StreamFrameOptions extends CallOptions {
  /** Whether the objects that are followed are marked. */
  readonly boxes?: boolean | undefined;
  /** Of the longer side, in pixels: 64 to 3840; 1280 unless given. It is not enlarged. */
  readonly maxSide?: number | undefined;
}

export interface StreamViewOptions extends StreamFrameOptions {
  /** Frames a second at most: 0.1 to 15; 5 unless given. */
  readonly fps?: number | undefined;
}

export interface TestSourceOptions extends CallOptions {
  /** A stream that there is, whose stored password is used where none is given. */
  readonly streamId?: number | undefined;
}

/** What was found in an analysed frame. */
export interface StreamTags extends Recognition {
  readonly stream_id: number;
  /** Format: date-time */
  readonly frame_time: string;
=======
export interface TestStreamOptions extends CallOptions {
  /** That of the stream unless given. */
  readonly source?: StreamSourceInput | undefined;
>>>>>>> 7d2da80b4449ba64c8c1a745b6b3f9aa9855773d
}

const path = '/api/streams';
export const streamPath = (id: number) => `${path}/${toPathPart('id', id)}`;

/** Streams: cameras and other live sources, and what is looked for in them. */
export function createStreams(send: Send) {
  const page = async (options: PageOptions = {}): Promise<Page<Stream>> =>
    ask(send, { method: 'GET', path, query: { limit: options.limit, cursor: options.cursor } }, options);
  const fieldsOf = ({ name, source, settings, enabled }: ChangeStreamOptions) => ({
    name,
    source,
    settings,
    enabled,
  });
  return {
    /** One page of `list`. */
    page,

    /** All streams, the newest first, for `for await`. */
    list: (options: ListOptions = {}) => walkPages((cursor) => page({ ...options, cursor })),

    /** Adds a stream, which runs at once unless `enabled` is false. */
    create: async (options: CreateStreamOptions): Promise<Stream> =>
      ask(send, { method: 'POST', path, json: fieldsOf(options), creates: true }, options),

    /** One stream: its source, what is looked for, how it is doing. */
    read: async (id: number, options: CallOptions = {}): Promise<Stream> =>
      ask(send, { method: 'GET', path: streamPath(id) }, options),

    /** Renames, enables or disables a stream, changes settings one by one, or its source as a whole. */
    change: async (id: number, options: ChangeStreamOptions): Promise<Stream> =>
      ask(send, { method: 'PATCH', path: streamPath(id), json: fieldsOf(options) }, options),

    /** Deletes a stream with its events, tracks, snapshots and clips. */
    remove: async (id: number, options: CallOptions = {}): Promise<StreamReceipt> =>
      ask(send, { method: 'DELETE', path: streamPath(id) }, options),

<<<<<<< HEAD
    /** Connects to a source and answers its first frame, or why none came, within half a minute. */
    test: async (source: StreamSourceInput, options: TestSourceOptions = ): Promise<TestedStreamSource> => {
      const { streamId } = options;
      const at = streamId === undefined ? path : streamPath(streamId);
      return ask(send, { method: 'POST', path: `${at}/test`, json: { source } }, options);
    },

    /** The newest frame as JPEG; `not_found` while there is none, which takes up to five seconds. */
    readFrame: async (id: number, options: StreamFrameOptions = ): Promise<Blob> => {
      const query = { boxes: options.boxes, max_side: options.maxSide };
      return ask(
        send,
        { method: 'GET', path: `${streamPath(id)}/latest.jpg`, query, wants: 'image' },
        options,
      );
    },

    /** Frames as motion JPEG, as they come: cancel it to stop. */
    view: async (id: number, options: StreamViewOptions = ): Promise<ReadableStream<Uint8Array>> => {
      const { fps, boxes, maxSide: max_side } = options;
      const query = { fps, boxes, max_side };
      return ask(
        send,
        { method: 'GET', path: `${streamPath(id)}/view.mjpg`, query, wants: 'frames' },
        options,
      );
    },

    /** What is found in each analysed frame, for `for await`; the time limit is for the first word. */
    async *followTags(id: number, options: CallOptions = ): AsyncGenerator<StreamTags, void, undefined> {
      const call = { method: 'GET', path: `${streamPath(id)}/tags`, wants: 'events' } as const;
      const stream = await ask<ReadableStream<Uint8Array>>(send, call, options);
      for await (const { data } of readEvents(stream)) yield data as StreamTags;
=======
    /** Connects to a source that no stream has yet, and answers with a frame of it, or with what to fix. */
    testSource: async (source: StreamSourceInput, options: CallOptions = ): Promise<TestedStreamSource> =>
      ask(send, method: 'POST', path: `$path/test`, json: { source } }, options),

    /** The same with the source of a stream, or another in its place. */
    test: async (id: number, options: TestStreamOptions = {}): Promise<TestedStreamSource> => {
      const json = { source: options.source };
      return ask(send, { method: 'POST', path: `${streamPath(id)}/test`, json }, options);
>>>>>>> 7d2da80b4449ba64c8c1a745b6b3f9aa9855773d
    },

    /** A token by which a page shows the live view of this stream without a key, as `view_token` of its address. */
    createViewToken: async (id: number, options: ViewTokenOptions = ): Promise<StreamViewToken> => {
      const json = { seconds: options.seconds };
      return ask(send, { method: 'POST', path: `${streamPath(id)}/view-tokens`, json }, options);
    },;
}
