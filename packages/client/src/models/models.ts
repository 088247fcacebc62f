import { type ListOptions, listed, type Page, type PageOptions, paged, walkPages } from '../account/pages.js';
import { toPathPart } from '../account/path-part.js';
import type { BuiltInModel, CustomModel, DatasetTask, ModelReceipt } from '../api-types.js';
import type { CallOptions } from '../options.js';
import { ask, type Send } from '../service/call.js';
import { checked } from '../service/checked.js';

export type ModelTask = DatasetTask;

export interface CreateModelOptions extends CallOptions {
  /** 1 to 200 characters. */
  readonly name: string;
  readonly task: ModelTask;
  readonly description?: string | undefined;
}

export interface ChangeModelOptions extends CallOptions {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
}

const path = '/api/models';
export const modelPath = (id: number) => `${path}/${toPathPart('id', id)}`;

/** Models that the account created. */
export function createModels(send: Send) {
  const page = async (options: PageOptions = {}): Promise<Page<CustomModel>> =>
    ask(send, { method: 'GET', path, query: { limit: options.limit, cursor: options.cursor } }, options);
  const calls = {
    /** Models that come with the service: licence, provenance and measured figures. */
    builtIn: async (options: CallOptions = {}): Promise<{ readonly data: readonly BuiltInModel[] }> =>
      ask(send, { method: 'GET', path: '/api/models/built-in' }, options),

    /** One page of `list`. */
    page,

    /** All models, the newest first, for `for await`. */
    list: (options: ListOptions = {}) => walkPages((cursor) => page({ ...options, cursor })),

    /** Creates a model without a version. */
    create: async (options: CreateModelOptions): Promise<CustomModel> => {
      const { name, task, description } = options;
      const json = { name, task, description };
      return ask(send, { method: 'POST', path, json, creates: true }, options);
    },

    /** One model. */
    read: async (id: number, options: CallOptions = {}): Promise<CustomModel> =>
      ask(send, { method: 'GET', path: modelPath(id) }, options),

    /** Renames a model, or describes it. */
    change: async (id: number, options: ChangeModelOptions): Promise<CustomModel> => {
      const { name, description } = options;
      return ask(send, { method: 'PATCH', path: modelPath(id), json: { name, description } }, options);
    },

    /** Deletes a model with its versions. */
    remove: async (id: number, options: CallOptions = {}): Promise<ModelReceipt> =>
      ask(send, { method: 'DELETE', path: modelPath(id) }, options),

    /** Activates a version; an older one to roll back. */
    switchTo: async (id: number, version: number, options: CallOptions = {}): Promise<CustomModel> =>
      ask(send, { method: 'PUT', path: `${modelPath(id)}/version`, json: { number: version } }, options),
  };
  return checked('models', calls, {
    page: [0, paged],
    list: [0, listed, true],
    create: [0, { name: 'needed', task: 'needed', description: 'optional' }],
    change: [1, { name: 'optional', description: 'optional' }],
  });
}
