import { type ListOptions, listed, type Page, type PageOptions, paged, walkPages } from '../account/pages.js';
import { toPathPart } from '../account/path-part.js';
import type { DeletionReceipt, Person } from '../api-types.js';
import type { CallOptions } from '../options.js';
import { ask, type Send } from '../service/call.js';
import { checked } from '../service/checked.js';
import { perceptionPath } from './perceptions.js';

export interface PeopleFilter {
  /** A part of a name or key id, large or small. */
  readonly search?: string | undefined;
}

export interface CreatePersonFields extends CallOptions {
  /** 1 to 200 characters. */
  readonly name: string;
  /** Your own id of the person; none unless given. */
  readonly keyId?: string | null | undefined;
}

export interface ChangePersonOptions extends CallOptions {
  readonly name?: string | undefined;
  /** Your own id of the person; null: none. */
  readonly keyId?: string | null | undefined;
}

export interface MergeOptions extends CallOptions {
  /** The person who stays. */
  readonly into: number;
}

export const personPath = (id: number) => `/api/people/${toPathPart('id', id)}`;

/** The people of perceptions. */
export function createPeople(send: Send) {
  const page = async (modelId: number, options: PeopleFilter & PageOptions = {}): Promise<Page<Person>> => {
    const { search, limit, cursor } = options;
    const query = { search, limit, cursor };
    return ask(send, { method: 'GET', path: `${perceptionPath(modelId)}/people`, query }, options);
  };
  const calls = {
    /** One page of `list`. */
    page,

    /** All people of a perception, the newest first, for `for await`. */
    list: (modelId: number, options: PeopleFilter & ListOptions = {}) =>
      walkPages((cursor) => page(modelId, { ...options, cursor })),

    /** Adds a person, without an image yet. */
    create: async (modelId: number, options: CreatePersonFields): Promise<Person> => {
      const path = `${perceptionPath(modelId)}/people`;
      return ask(send, { method: 'POST', path, json: toFields(options), creates: true }, options);
    },

    /** One person. */
    read: async (id: number, options: CallOptions = {}): Promise<Person> =>
      ask(send, { method: 'GET', path: personPath(id) }, options),

    /** Renames a person, or changes their key id. */
    change: async (id: number, options: ChangePersonOptions): Promise<Person> =>
      ask(send, { method: 'PATCH', path: personPath(id), json: toFields(options) }, options),

    /** Deletes a person with all their images. */
    remove: async (id: number, options: CallOptions = {}): Promise<DeletionReceipt> =>
      ask(send, { method: 'DELETE', path: personPath(id) }, options),

    /** Merges this person into another: images, corrections and key id are moved, and this person is deleted. */
    merge: async (id: number, options: MergeOptions): Promise<Person> =>
      ask(send, { method: 'POST', path: `${personPath(id)}/merge`, json: { into: options.into } }, options),
  };
  return checked('people', calls, {
    page: [1, { search: 'optional', ...paged }],
    list: [1, { search: 'optional', ...listed }, true],
    create: [1, { name: 'needed', keyId: 'optional' }],
    change: [1, { name: 'optional', keyId: 'optional' }],
    merge: [1, { into: 'needed' }],
  });
}

function toFields({ name, keyId }: ChangePersonOptions) {
  return { name, key_id: keyId };
}
