import { type ListOptions, listed, type Page, type PageOptions, paged, walkPages } from '../account/pages.js';
import { toPathPart } from '../account/path-part.js';
import type {
  DropFile,
  DropFileDetails,
  DropFileReceipt,
  DropFileState,
  DropPurgeReceipt,
  DropRetried,
} from '../api-types.js';
import type { CallOptions } from '../options.js';
import { ask, type Send } from '../service/call.js';
import { checked } from '../service/checked.js';
import type { ThumbnailOptions } from '../thumbnail.js';
import { dropPath } from './drops.js';

export interface DropFileFilter {
  /** `waiting`: arrived, predicted or written. */
  readonly state?: DropFileState | 'waiting' | undefined;
  /** A part of the name. */
  readonly search?: string | undefined;
}

const pathOf = (dropId: number, id: string) => `${dropPath(dropId)}/files/${toPathPart('file_id', id)}`;

const filter = { state: 'optional', search: 'optional' } as const;

/** The files of drops, and what became of them. */
export function createDropFiles(send: Send) {
  const page = async (
    dropId: number,
    options: DropFileFilter & PageOptions = {},
  ): Promise<Page<DropFile>> => {
    const { state, search, limit, cursor } = options;
    const query = { state, search, limit, cursor };
    return ask(send, { method: 'GET', path: `${dropPath(dropId)}/files`, query }, options);
  };
  const calls = {
    /** One page of `list`. */
    page,

    /** All files of a drop, the newest first, for `for await`. */
    list: (dropId: number, options: DropFileFilter & ListOptions = {}) =>
      walkPages((cursor) => page(dropId, { ...options, cursor })),

    /** One file with what was found in it, its keywords, and what happened to it. */
    read: async (dropId: number, id: string, options: CallOptions = {}): Promise<DropFileDetails> =>
      ask(send, { method: 'GET', path: pathOf(dropId, id) }, options),

    /** The file: with its keywords once it is done, as it came before; or its image, small. */
    readContent: async (dropId: number, id: string, options: ThumbnailOptions = {}): Promise<Blob> => {
      const query = { width: options.width };
      const path = `${pathOf(dropId, id)}/content`;
      return ask(send, { method: 'GET', path, query, wants: 'image' }, options);
    },

    /** Retries a failed file from the step that failed. */
    retry: async (dropId: number, id: string, options: CallOptions = {}): Promise<DropFileDetails> =>
      ask(send, { method: 'POST', path: `${pathOf(dropId, id)}/retry`, creates: true }, options),

    /** The same for all that failed; 2000 at most. */
    retryFailed: async (dropId: number, options: CallOptions = {}): Promise<DropRetried> =>
      ask(send, { method: 'POST', path: `${dropPath(dropId)}/retry` }, options),

    /** Deletes a file. */
    remove: async (dropId: number, id: string, options: CallOptions = {}): Promise<DropFileReceipt> =>
      ask(send, { method: 'DELETE', path: pathOf(dropId, id) }, options),

    /** Deletes all that are done, or that failed; 3000 at most. */
    purge: async (
      dropId: number,
      state: 'done' | 'failed',
      options: CallOptions = {},
    ): Promise<DropPurgeReceipt> =>
      ask(send, { method: 'DELETE', path: `${dropPath(dropId)}/files`, query: { state } }, options),
  };
  return checked('dropFiles', calls, {
    page: [1, { ...filter, ...paged }],
    list: [1, { ...filter, ...listed }, true],
    readContent: [2, { width: 'optional' }],
  });
}
