import { type ListOptions, listed, type Page, type PageOptions, paged, walkPages } from '../account/pages.js';
import { toPathPart } from '../account/path-part.js';
import type {
  Stream,
  StreamReceipt,
  StreamSettingsInput,
  StreamSourceInput,
  StreamViewToken,
  TestedStreamSource,
} from '../api-types.js';
import type { CallOptions } from '../options.js';
import { ask, type Send } from '../service/call.js';
import { checked } from '../service/checked.js';

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

export interface TestStreamOptions extends CallOptions {
  /** That of the stream unless given. */
  readonly source?: StreamSourceInput | undefined;
}

const path = '/api/streams';
export const streamPath = (id: number) => `${path}/${toPathPart('id', id)}`;

const fields = { name: 'optional', source: 'optional', settings: 'optional', enabled: 'optional' } as const;

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
  const calls = {
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

    /** Connects to a source that no stream has yet, and answers with a frame of it, or with what to fix. */
    testSource: async (source: StreamSourceInput, options: CallOptions = {}): Promise<TestedStreamSource> =>
      ask(send, { method: 'POST', path: `${path}/test`, json: { source } }, options),

    /** The same with the source of a stream, or another in its place. */
    test: async (id: number, options: TestStreamOptions = {}): Promise<TestedStreamSource> => {
      const json = { source: options.source };
      return ask(send, { method: 'POST', path: `${streamPath(id)}/test`, json }, options);
    },

    /** A token by which a page shows the live view of this stream without a key, as `view_token` of its address. */
    createViewToken: async (id: number, options: ViewTokenOptions = {}): Promise<StreamViewToken> => {
      const json = { seconds: options.seconds };
      return ask(send, { method: 'POST', path: `${streamPath(id)}/view-tokens`, json }, options);
    },
  };
  return checked('streams', calls, {
    page: [0, paged],
    list: [0, listed, true],
    create: [0, { ...fields, name: 'needed', source: 'needed' }],
    change: [1, fields],
    test: [1, { source: 'optional' }],
    createViewToken: [1, { seconds: 'optional' }],
  });
}
