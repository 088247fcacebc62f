import { type ListOptions, type Page, type PageOptions, walkPages } from '../account/pages.js';
import { toPathPart } from '../account/path-part.js';
import { LynceusError } from '../error.js';
import type { CallOptions } from '../options.js';
import { ask, type Send } from '../service/call.js';
import type { ThumbnailOptions } from '../thumbnail.js';
import type {
  AddedPictures,
  DatasetBox,
  DatasetPicture,
  DatasetReceipt,
  DatasetSplit,
  LabelSuggestions,
} from '../types/datasets.js';
import { datasetPath } from './datasets.js';

export interface DatasetPictureFilter {
  readonly classId?: number | undefined;
  /** Whether somebody said what they show. */
  readonly labelled?: boolean | undefined;
  readonly split?: DatasetSplit | undefined;
  /** A part of the file name, large or small. */
  readonly search?: string | undefined;
}

export interface AddPicturesOptions extends CallOptions {
  /** The class that they show, made when there is none of this name; of classification alone. */
  readonly label?: string | undefined;
}

export interface SetLabelsOptions extends CallOptions {
  /** The `labels_revision` that was seen: when the labels are others by now, nothing changes and the error is `labels_changed`. */
  readonly ifRevision?: number | undefined;
}

/** The picture as it is now, when an error says that somebody else changed its labels meanwhile; else null. */
export function labelsChangedTo(error: unknown): DatasetPicture | null {
  if (!(error instanceof LynceusError) || error.code !== 'labels_changed') return null;
  return error.current as DatasetPicture;
}

/** A file with its name, or one of a `File`'s own. */
export type NamedPicture = File | { readonly name: string; readonly content: Blob };

export interface LabelGiven {
  readonly classId: number;
  /** In object detection. */
  readonly box?: DatasetBox | undefined;
}

const listPath = (datasetId: number) => `${datasetPath(datasetId)}/pictures`;
const pathOf = (datasetId: number, id: number) => `${listPath(datasetId)}/${toPathPart('id', id)}`;

/** Pictures of datasets, and what they show. */
export function createDatasetPictures(send: Send) {
  const page = async (
    datasetId: number,
    options: DatasetPictureFilter & PageOptions = {},
  ): Promise<Page<DatasetPicture>> => {
    const { classId, labelled, split, search, limit, cursor } = options;
    const query = { class_id: classId, labelled, split, search, limit, cursor };
    return ask(send, { method: 'GET', path: listPath(datasetId), query }, options);
  };
  return {
    /** One page of `list`. */
    page,

    /** All pictures of a dataset, the newest first, for `for await`. */
    list: (datasetId: number, options: DatasetPictureFilter & ListOptions = {}) =>
      walkPages((cursor) => page(datasetId, { ...options, cursor })),

    /** Adds pictures, 100 at most, each with a verdict; what is there already is not added twice. */
    add: async (
      datasetId: number,
      pictures: readonly NamedPicture[],
      options: AddPicturesOptions = {},
    ): Promise<AddedPictures> => {
      const form = new FormData();
      for (const picture of pictures) {
        form.append('file', 'content' in picture ? picture.content : picture, picture.name);
      }
      const query = { label: options.label };
      return ask(send, { method: 'POST', path: listPath(datasetId), query, form }, options);
    },

    /** Adds the pictures at these addresses, 20 at most, each with a verdict. */
    fetch: async (
      datasetId: number,
      urls: readonly (string | URL)[],
      options: AddPicturesOptions = {},
    ): Promise<AddedPictures> => {
      const json = { urls: urls.map(String), label: options.label };
      return ask(send, { method: 'POST', path: `${listPath(datasetId)}/fetch`, json }, options);
    },

    /** One picture with its labels. */
    read: async (datasetId: number, id: number, options: CallOptions = {}): Promise<DatasetPicture> =>
      ask(send, { method: 'GET', path: pathOf(datasetId, id) }, options),

    /** The picture as it came, or small. */
    readPicture: async (datasetId: number, id: number, options: ThumbnailOptions = {}): Promise<Blob> => {
      const query = { width: options.width };
      const path = `${pathOf(datasetId, id)}/picture`;
      return ask(send, { method: 'GET', path, query, wants: 'picture' }, options);
    },

    /** Says what a picture shows, in place of all labels that it has: `[]` none of the classes, null not said yet. */
    setLabels: async (
      datasetId: number,
      id: number,
      labels: readonly LabelGiven[] | null,
      options: SetLabelsOptions = {},
    ): Promise<DatasetPicture> => {
      const ifMatch = options.ifRevision === undefined ? undefined : `"${options.ifRevision}"`;
      const json = { labels: labels?.map(({ classId, box }) => ({ class_id: classId, box })) ?? null };
      return ask(send, { method: 'PUT', path: `${pathOf(datasetId, id)}/labels`, json, ifMatch }, options);
    },

    /** What a model would label a picture with: one of the account, or the built-in one. Changes nothing, counts no call. */
    suggest: async (
      datasetId: number,
      id: number,
      options: CallOptions & { readonly modelId?: string | number | undefined } = {},
    ): Promise<LabelSuggestions> => {
      const json = { model_id: options.modelId };
      return ask(send, { method: 'POST', path: `${pathOf(datasetId, id)}/suggestions`, json }, options);
    },

    /** Deletes a picture. */
    remove: async (datasetId: number, id: number, options: CallOptions = {}): Promise<DatasetReceipt> =>
      ask(send, { method: 'DELETE', path: pathOf(datasetId, id) }, options),

    /** Deletes those of these pictures that the dataset has, 500 at most. */
    removeMany: async (
      datasetId: number,
      ids: readonly number[],
      options: CallOptions = {},
    ): Promise<DatasetReceipt> => {
      const path = `${listPath(datasetId)}/delete`;
      return ask(send, { method: 'POST', path, json: { picture_ids: ids } }, options);
    },
  };
}
