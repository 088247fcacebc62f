import type { FileAnalysis, FileHead } from '../api-types.js';
import type { CallOptions } from '../options.js';
import { ask, type Send } from '../service/call.js';
import { checked } from '../service/checked.js';
import type { ThumbnailOptions } from '../thumbnail.js';
import { type Moment, toMomentText } from './moment.js';
import { type ListOptions, listed, type Page, type PageOptions, paged, walkPages } from './pages.js';
import { toPathPart } from './path-part.js';

export interface FileFilter {
  /** Such as `v1.predict_image`. */
  readonly operation?: string | undefined;
  /** A part of a label of the summary, or of the id of a model. */
  readonly search?: string | undefined;
  /** From then on. */
  readonly from?: Moment | undefined;
  /** Before then. */
  readonly to?: Moment | undefined;
}

const path = '/api/files';
const pathOf = (fileid: string) => `${path}/${toPathPart('fileid', fileid)}`;

const filter = { operation: 'optional', search: 'optional', from: 'optional', to: 'optional' } as const;

/** Analyses by `fileid`, for as long as the account keeps them. */
export function createFiles(send: Send) {
  const page = async (options: FileFilter & PageOptions = {}): Promise<Page<FileHead>> => {
    const { operation, search, from, to, limit, cursor } = options;
    const query = { operation, search, from: toMomentText(from), to: toMomentText(to), limit, cursor };
    return ask(send, { method: 'GET', path, query }, options);
  };
  const calls = {
    /** One page of `list`. */
    page,

    /** All analyses, the newest first, for `for await`. */
    list: (options: FileFilter & ListOptions = {}) => walkPages((cursor) => page({ ...options, cursor })),

    /** One analysis: what was found, by which models, with which thresholds, how long it took. */
    read: async (fileid: string, options: CallOptions = {}): Promise<FileAnalysis> =>
      ask(send, { method: 'GET', path: pathOf(fileid) }, options),

    /** The image of an analysis as it came, or small, where the service keeps images; `not_found` else. */
    readContent: async (fileid: string, options: ThumbnailOptions = {}): Promise<Blob> => {
      const query = { width: options.width };
      const call = { method: 'GET', path: `${pathOf(fileid)}/content`, query, wants: 'image' } as const;
      return ask(send, call, options);
    },

    /** Deletes an analysis. */
    remove: async (fileid: string, options: CallOptions = {}): Promise<void> =>
      ask(send, { method: 'DELETE', path: pathOf(fileid) }, options),
  };
  return checked('files', calls, {
    page: [0, { ...filter, ...paged }],
    list: [0, { ...filter, ...listed }, true],
    readContent: [1, { width: 'optional' }],
  });
}
