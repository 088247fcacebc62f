import { type ListOptions, listed, type Page, type PageOptions, paged, walkPages } from '../account/pages.js';
import { toPathPart } from '../account/path-part.js';
import type {
  DestinationVerdict,
  Drop,
  DropDestinationInput,
  DropReceipt,
  DropSettingsInput,
  NewDrop,
} from '../api-types.js';
import type { CallOptions } from '../options.js';
import { ask, type Send } from '../service/call.js';
import { checked } from '../service/checked.js';

export interface ChangeDropOptions extends CallOptions {
  /** 1 to 200 characters. */
  readonly name?: string | undefined;
  /** Those that are left out stay as they are. */
  readonly settings?: DropSettingsInput | undefined;
  /** In the place of the one that there is; null: none. */
  readonly destination?: DropDestinationInput | null | undefined;
}

export interface CreateDropOptions extends ChangeDropOptions {
  readonly name: string;
  /** By which one logs in: 3 to 32 characters of `a-z`, `0-9` and `-`; derived from the name unless given. */
  readonly userName?: string | undefined;
}

const path = '/api/drops';
export const dropPath = (id: number) => `${path}/${toPathPart('id', id)}`;

const fields = { name: 'optional', settings: 'optional', destination: 'optional' } as const;

/** Drops: images arrive by FTP, get keywords, and are sent to a destination. */
export function createDrops(send: Send) {
  const page = async (options: PageOptions = {}): Promise<Page<Drop>> =>
    ask(send, { method: 'GET', path, query: { limit: options.limit, cursor: options.cursor } }, options);
  const calls = {
    /** One page of `list`. */
    page,

    /** All drops, the newest first, for `for await`. */
    list: (options: ListOptions = {}) => walkPages((cursor) => page({ ...options, cursor })),

    /** Creates a drop; this answer alone shows its key. */
    create: async (options: CreateDropOptions): Promise<NewDrop> => {
      const { name, userName, settings, destination } = options;
      const json = { name, user_name: userName, settings, destination };
      return ask(send, { method: 'POST', path, json, creates: true }, options);
    },

    /** One drop, with how many of its files are where. */
    read: async (id: number, options: CallOptions = {}): Promise<Drop> =>
      ask(send, { method: 'GET', path: dropPath(id) }, options),

    /** Renames a drop, changes settings one by one, or its destination as a whole. */
    change: async (id: number, options: ChangeDropOptions): Promise<Drop> => {
      const { name, settings, destination } = options;
      return ask(
        send,
        { method: 'PATCH', path: dropPath(id), json: { name, settings, destination } },
        options,
      );
    },

    /** Deletes a drop with its key and all its files. */
    remove: async (id: number, options: CallOptions = {}): Promise<DropReceipt> =>
      ask(send, { method: 'DELETE', path: dropPath(id) }, options),

    /** Another key, which this answer alone shows; the old one is refused from now on. */
    renewKey: async (id: number, options: CallOptions = {}): Promise<NewDrop> =>
      ask(send, { method: 'POST', path: `${dropPath(id)}/key`, creates: true }, options),

    /** Connects to the destination, writes a small file there, and removes it. */
    testDestination: async (id: number, options: CallOptions = {}): Promise<DestinationVerdict> =>
      ask(send, { method: 'POST', path: `${dropPath(id)}/destination/test` }, options),
  };
  return checked('drops', calls, {
    page: [0, paged],
    list: [0, listed, true],
    create: [0, { ...fields, name: 'needed', userName: 'optional' }],
    change: [1, fields],
  });
}
