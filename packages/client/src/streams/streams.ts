import { type ListOptions, type Page, type PageOptions, walkPages } from '../account/pages.js';
import { toPathPart } from '../account/path-part.js';
import type {
  Stream,
  StreamReceipt,
  StreamSettingsInput,
  StreamSourceInput,
  StreamViewToken,
} from '../api-types.js';
import type { CallOptions } from '../options.js';
import { ask, type Send } from '../service/call.js';

export interface ChangeStreamOptions extends CallOptions {
  /** 1 to 200 characters. */
  readonly name?: string | undefined;
  /** In the place of the one that there is; a password that is left out is kept while host and user name stay. */
  readonly source?: StreamSourceInput | undefined;
  /** Those that are left out stay as they are. */
  readonly settings?: StreamSettingsInput | undefined;
  /** Whether it runs. */
  readonly enabled?: boolean | undefined;
}

export interface CreateStreamOptions extends ChangeStreamOptions {
  readonly name: string;
  readonly source: StreamSourceInput;
}

export interface ViewTokenOptions extends CallOptions {
  /** For which it is good: 1 to 3600; 600 unless given. */
  readonly seconds?: number | undefined;
}

const path = '/api/streams';
const pathOf = (id: number) => `${path}/${toPathPart('id', id)}`;

/** Cameras and other live streams, and what is looked for in their frames. */
export function createStreams(send: Send) {
  const page = async (options: PageOptions = {}): Promise<Page<Stream>> =>
    ask(send, { method: 'GET', path, query: { limit: options.limit, cursor: options.cursor } }, options);
  return {
    /** One page of `list`. */
    page,

    /** All streams, the newest first, for `for await`. */
    list: (options: ListOptions = {}) => walkPages((cursor) => page({ ...options, cursor })),

    /** Adds a stream, which runs at once unless it is not enabled. */
    create: async (options: CreateStreamOptions): Promise<Stream> => {
      const { name, source, settings, enabled } = options;
      return ask(
        send,
        { method: 'POST', path, json: { name, source, settings, enabled }, creates: true },
        options,
      );
    },

    /** One stream: its source, what is looked for, and its state. */
    read: async (id: number, options: CallOptions = {}): Promise<Stream> =>
      ask(send, { method: 'GET', path: pathOf(id) }, options),

    /** Renames, enables or disables a stream, changes settings one by one, or its source as a whole. */
    change: async (id: number, options: ChangeStreamOptions): Promise<Stream> => {
      const { name, source, settings, enabled } = options;
      return ask(
        send,
        { method: 'PATCH', path: pathOf(id), json: { name, source, settings, enabled } },
        options,
      );
    },

    /** Deletes a stream with its events, tracks, snapshots and clips. */
    remove: async (id: number, options: CallOptions = {}): Promise<StreamReceipt> =>
      ask(send, { method: 'DELETE', path: pathOf(id) }, options),

    /** A token that shows the live view of this stream, and nothing else, without a key. */
    createViewToken: async (id: number, options: ViewTokenOptions = {}): Promise<StreamViewToken> => {
      const call = { method: 'POST', path: `${pathOf(id)}/view-tokens`, creates: true } as const;
      return ask(send, { ...call, json: { seconds: options.seconds } }, options);
    },
  };
}
