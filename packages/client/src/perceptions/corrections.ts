import { type ListOptions, listed, type Page, type PageOptions, paged, walkPages } from '../account/pages.js';
import { toPathPart } from '../account/path-part.js';
import type { CorrectedPerson, Correction } from '../api-types.js';
import type { Image } from '../image.js';
import type { CallOptions } from '../options.js';
import { upload } from '../recognition/upload.js';
import { ask, type Send } from '../service/call.js';
import { checked } from '../service/checked.js';
import { personPath } from './people.js';

export interface CorrectionOptions extends CallOptions {
  /** The person whom it is not. */
  readonly personId: number;
}

const listPath = (personId: number) => `${personPath(personId)}/corrections`;

/** "This is not X": faces for which a search proposes the person no more. */
export function createCorrections(send: Send) {
  const page = async (personId: number, options: PageOptions = {}): Promise<Page<Correction>> => {
    const { limit, cursor } = options;
    return ask(send, { method: 'GET', path: listPath(personId), query: { limit, cursor } }, options);
  };
  const calls = {
    /** One page of `list`. */
    page,

    /** All corrections of a person, the newest first, for `for await`. */
    list: (personId: number, options: ListOptions = {}) =>
      walkPages((cursor) => page(personId, { ...options, cursor })),

    /** The largest face of this image is not the person's. The image is not kept. */
    add: async (image: Image, options: CorrectionOptions): Promise<CorrectedPerson> =>
      ask(send, { ...upload(listPath(options.personId), image, {}), creates: true }, options),

    /** The face of this image, which is another person's, is not the person's. */
    addImage: async (imageId: number, options: CorrectionOptions): Promise<CorrectedPerson> => {
      const query = { image_id: imageId };
      return ask(send, { method: 'POST', path: listPath(options.personId), query, creates: true }, options);
    },

    /** Forgets a correction. */
    remove: async (personId: number, id: number, options: CallOptions = {}): Promise<void> =>
      ask(send, { method: 'DELETE', path: `${listPath(personId)}/${toPathPart('id', id)}` }, options),
  };
  return checked('corrections', calls, {
    page: [1, paged],
    list: [1, listed, true],
    add: [1, { personId: 'needed' }],
    addImage: [1, { personId: 'needed' }],
  });
}
