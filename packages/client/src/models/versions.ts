import { type ListOptions, listed, type Page, type PageOptions, paged, walkPages } from '../account/pages.js';
import { toPathPart } from '../account/path-part.js';
import type { ModelImportOptions, ModelVersion, ReadModelVersion } from '../api-types.js';
import type { NamedImage } from '../datasets/images.js';
import type { CallOptions } from '../options.js';
import { ask, type Send } from '../service/call.js';
import { checked } from '../service/checked.js';
import { modelPath } from './models.js';

export interface NewVersionOptions extends CallOptions {
  /** Whether to activate it; true unless given. */
  readonly activate?: boolean | undefined;
}

export interface UploadVersionOptions extends NewVersionOptions {
  /** What the files do not say themselves. */
  readonly options?: ModelImportOptions | undefined;
}

export interface ChangeVersionSettingsOptions extends CallOptions {
  /** Whether of two labels on one box the lesser is left out. */
  readonly oneLabel: boolean;
}

/** As long as the service takes for one, unless its settings say otherwise. */
const uploadTimeoutMs = 3_600_000;

const listPath = (modelId: number) => `${modelPath(modelId)}/versions`;
const pathOf = (modelId: number, number: number) => `${listPath(modelId)}/${toPathPart('number', number)}`;

/** The versions of models. */
export function createModelVersions(send: Send) {
  const page = async (modelId: number, options: PageOptions = {}): Promise<Page<ModelVersion>> => {
    const { limit, cursor } = options;
    return ask(send, { method: 'GET', path: listPath(modelId), query: { limit, cursor } }, options);
  };
  const calls = {
    /** One page of `list`. */
    page,

    /** All versions of a model, the newest first, for `for await`. */
    list: (modelId: number, options: ListOptions = {}) =>
      walkPages((cursor) => page(modelId, { ...options, cursor })),

    /** One version, with its labels. */
    read: async (modelId: number, number: number, options: CallOptions = {}): Promise<ReadModelVersion> =>
      ask(send, { method: 'GET', path: pathOf(modelId, number) }, options),

    /** What its training run measured. */
    report: async (
      modelId: number,
      number: number,
      options: CallOptions = {},
    ): Promise<Readonly<Record<string, unknown>>> =>
      ask(send, { method: 'GET', path: `${pathOf(modelId, number)}/report` }, options),

    /** The same as a page of HTML that needs nothing beside itself. */
    reportPage: async (
      modelId: number,
      number: number,
      options: CallOptions = {},
    ): Promise<ReadableStream<Uint8Array>> =>
      ask(send, { method: 'GET', path: `${pathOf(modelId, number)}/report.html`, wants: 'file' }, options),

    /** Its model as one ONNX file, as it comes: read it to its end, or cancel it. */
    download: async (
      modelId: number,
      number: number,
      options: CallOptions = {},
    ): Promise<ReadableStream<Uint8Array>> =>
      ask(send, { method: 'GET', path: `${pathOf(modelId, number)}/model.onnx`, wants: 'file' }, options),

    /** Uploads a ready model: one file, a zip, or the files of one. An hour unless `timeoutMs` is given. */
    upload: async (
      modelId: number,
      files: readonly NamedImage[],
      options: UploadVersionOptions = {},
    ): Promise<ReadModelVersion> => {
      const form = new FormData();
      if (options.options) form.set('options', JSON.stringify(options.options));
      for (const file of files) form.append('file', 'content' in file ? file.content : file, file.name);
      const query = { activate: options.activate };
      return ask(
        send,
        { method: 'POST', path: listPath(modelId), query, form, creates: true },
        { ...options, timeoutMs: options.timeoutMs ?? uploadTimeoutMs },
      );
    },

    /** Creates a version from the files of an uploaded one, with other import options. */
    change: async (
      modelId: number,
      number: number,
      importOptions: ModelImportOptions,
      options: NewVersionOptions = {},
    ): Promise<ReadModelVersion> => {
      const query = { activate: options.activate };
      const call = { method: 'PATCH', path: pathOf(modelId, number), query, json: importOptions } as const;
      return ask(
        send,
        { ...call, creates: true },
        { ...options, timeoutMs: options.timeoutMs ?? uploadTimeoutMs },
      );
    },

    /** Changes the settings of a version, from the next call on: of a detector, whether an object gets one label only. */
    changeSettings: async (
      modelId: number,
      number: number,
      options: ChangeVersionSettingsOptions,
    ): Promise<ReadModelVersion> => {
      const json = { one_label: options.oneLabel };
      return ask(send, { method: 'PATCH', path: `${pathOf(modelId, number)}/settings`, json }, options);
    },

    /** Deletes a version; not the active one. */
    remove: async (modelId: number, number: number, options: CallOptions = {}): Promise<void> =>
      ask(send, { method: 'DELETE', path: pathOf(modelId, number) }, options),
  };
  return checked('modelVersions', calls, {
    page: [1, paged],
    list: [1, listed, true],
    upload: [2, { activate: 'optional', options: 'optional' }],
    change: [3, { activate: 'optional' }],
    changeSettings: [2, { oneLabel: 'needed' }],
  });
}
