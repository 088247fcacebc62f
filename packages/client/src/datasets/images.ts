import { type ListOptions, listed, type Page, type PageOptions, paged, walkPages } from '../account/pages.js';
import { toPathPart } from '../account/path-part.js';
import type {
  AddedImages,
  DatasetBox,
  DatasetImage,
  DatasetReceipt,
  DatasetSplit,
  LabelSuggestions,
} from '../api-types.js';
import { LynceusError } from '../error.js';
import type { CallOptions } from '../options.js';
import { ask, type Send } from '../service/call.js';
import { checked } from '../service/checked.js';
import type { ThumbnailOptions } from '../thumbnail.js';
import { datasetPath } from './datasets.js';

export interface DatasetImageFilter {
  readonly classId?: number | undefined;
  /** Whether they are labelled. */
  readonly labelled?: boolean | undefined;
  readonly split?: DatasetSplit | undefined;
  /** A part of the file name, large or small. */
  readonly search?: string | undefined;
}

export interface AddImagesOptions extends CallOptions {
  /** The class that they show, created when there is none of this name; of classification alone. */
  readonly label?: string | undefined;
}

export interface SetLabelsOptions extends CallOptions {
  /** The `labels_revision` that was seen: when the labels are others by now, nothing changes and the error is `labels_changed`. */
  readonly ifRevision?: number | undefined;
}

/** The image as it is now, when an error says that its labels were changed meanwhile; else null. */
export function labelsChangedTo(error: unknown): DatasetImage | null {
  if (!(error instanceof LynceusError) || error.code !== 'labels_changed') return null;
  return error.current as DatasetImage;
}

/** A file with its name, or one of a `File`'s own. */
export type NamedImage = File | { readonly name: string; readonly content: Blob };

export interface LabelInput {
  readonly classId: number;
  /** In object detection. */
  readonly box?: DatasetBox | undefined;
}

const listPath = (datasetId: number) => `${datasetPath(datasetId)}/images`;
const pathOf = (datasetId: number, id: number) => `${listPath(datasetId)}/${toPathPart('id', id)}`;

const filter = { classId: 'optional', labelled: 'optional', split: 'optional', search: 'optional' } as const;

/** Images of datasets, and what they show. */
export function createDatasetImages(send: Send) {
  const page = async (
    datasetId: number,
    options: DatasetImageFilter & PageOptions = {},
  ): Promise<Page<DatasetImage>> => {
    const { classId, labelled, split, search, limit, cursor } = options;
    const query = { class_id: classId, labelled, split, search, limit, cursor };
    return ask(send, { method: 'GET', path: listPath(datasetId), query }, options);
  };
  const calls = {
    /** One page of `list`. */
    page,

    /** All images of a dataset, the newest first, for `for await`. */
    list: (datasetId: number, options: DatasetImageFilter & ListOptions = {}) =>
      walkPages((cursor) => page(datasetId, { ...options, cursor })),

    /** Adds images, 100 at most, each with a verdict; what is there already is not added twice. */
    add: async (
      datasetId: number,
      images: readonly NamedImage[],
      options: AddImagesOptions = {},
    ): Promise<AddedImages> => {
      const form = new FormData();
      for (const image of images) {
        form.append('file', 'content' in image ? image.content : image, image.name);
      }
      const query = { label: options.label };
      return ask(send, { method: 'POST', path: listPath(datasetId), query, form }, options);
    },

    /** Adds the images at these addresses, 20 at most, each with a verdict. */
    fetch: async (
      datasetId: number,
      urls: readonly (string | URL)[],
      options: AddImagesOptions = {},
    ): Promise<AddedImages> => {
      const json = { urls: urls.map(String), label: options.label };
      return ask(send, { method: 'POST', path: `${listPath(datasetId)}/fetch`, json }, options);
    },

    /** One image with its labels. */
    read: async (datasetId: number, id: number, options: CallOptions = {}): Promise<DatasetImage> =>
      ask(send, { method: 'GET', path: pathOf(datasetId, id) }, options),

    /** The image as it came, or small. */
    readContent: async (datasetId: number, id: number, options: ThumbnailOptions = {}): Promise<Blob> => {
      const query = { width: options.width };
      const path = `${pathOf(datasetId, id)}/content`;
      return ask(send, { method: 'GET', path, query, wants: 'image' }, options);
    },

    /** Says what an image shows, in place of all labels that it has: `[]` none of the classes, null not said yet. */
    setLabels: async (
      datasetId: number,
      id: number,
      labels: readonly LabelInput[] | null,
      options: SetLabelsOptions = {},
    ): Promise<DatasetImage> => {
      const ifMatch = options.ifRevision === undefined ? undefined : `"${options.ifRevision}"`;
      const json = { labels: labels?.map(({ classId, box }) => ({ class_id: classId, box })) ?? null };
      return ask(send, { method: 'PUT', path: `${pathOf(datasetId, id)}/labels`, json, ifMatch }, options);
    },

    /** What a model would label an image with: one of the account, or the built-in one. Changes nothing, counts no call. */
    suggest: async (
      datasetId: number,
      id: number,
      options: CallOptions & { readonly modelId?: string | number | undefined } = {},
    ): Promise<LabelSuggestions> => {
      const json = { model_id: options.modelId };
      return ask(send, { method: 'POST', path: `${pathOf(datasetId, id)}/suggestions`, json }, options);
    },

    /** Deletes an image. */
    remove: async (datasetId: number, id: number, options: CallOptions = {}): Promise<DatasetReceipt> =>
      ask(send, { method: 'DELETE', path: pathOf(datasetId, id) }, options),

    /** Deletes those of these images that the dataset has, 500 at most. */
    removeMany: async (
      datasetId: number,
      ids: readonly number[],
      options: CallOptions = {},
    ): Promise<DatasetReceipt> => {
      const path = `${listPath(datasetId)}/delete`;
      return ask(send, { method: 'POST', path, json: { image_ids: ids } }, options);
    },
  };
  return checked('datasetImages', calls, {
    page: [1, { ...filter, ...paged }],
    list: [1, { ...filter, ...listed }, true],
    add: [2, { label: 'optional' }],
    fetch: [2, { label: 'optional' }],
    readContent: [2, { width: 'optional' }],
    setLabels: [3, { ifRevision: 'optional' }],
    suggest: [2, { modelId: 'optional' }],
  });
}
