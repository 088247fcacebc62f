import { type ListOptions, listed, type Page, type PageOptions, paged, walkPages } from '../account/pages.js';
import { toPathPart } from '../account/path-part.js';
import type {
  CountedDataset,
  Dataset,
  DatasetFindings,
  DatasetReceipt,
  DatasetSplitCounts,
  DatasetTask,
  Job,
} from '../api-types.js';
import type { CallOptions } from '../options.js';
import { ask, type Send } from '../service/call.js';
import { checked } from '../service/checked.js';

export interface CreateDatasetOptions extends CallOptions {
  /** 1 to 200 characters. */
  readonly name: string;
  readonly task: DatasetTask;
  /** Whether an image may have any number of classes; false unless given. */
  readonly multiLabel?: boolean | undefined;
}

export interface RenameDatasetOptions extends CallOptions {
  readonly name: string;
}

/** A format that other programs read; see docs/datasets.md. */
export type DatasetFormat = 'folders' | 'coco' | 'voc' | 'yolo' | 'csv';

/** A format that an import reads; exports write those of `DatasetFormat`. */
export type DatasetImportFormat = DatasetFormat | 'kitti' | 'createml' | 'cvat' | 'via';

export interface ImportOptions extends CallOptions {
  /** Told from the files unless given. */
  readonly format?: DatasetImportFormat | undefined;
}

export interface ImportFindingsOptions extends CallOptions {
  /** CSV unless given, or a JSON object a line. */
  readonly format?: 'csv' | 'jsonl' | undefined;
}

export interface ExportOptions extends CallOptions {
  readonly format: DatasetFormat;
}

export interface SplitOptions extends CallOptions {
  /** The share of each class that is held out, 0 to 0.9; 0.2 unless given. */
  readonly heldOut?: number | undefined;
}

const path = '/api/datasets';
export const datasetPath = (id: number) => `${path}/${toPathPart('id', id)}`;

/** Labelled images to train with. */
export function createDatasets(send: Send) {
  const page = async (options: PageOptions = {}): Promise<Page<Dataset>> =>
    ask(send, { method: 'GET', path, query: { limit: options.limit, cursor: options.cursor } }, options);
  const calls = {
    /** One page of `list`. */
    page,

    /** All datasets, the newest first, for `for await`. */
    list: (options: ListOptions = {}) => walkPages((cursor) => page({ ...options, cursor })),

    /** Creates a dataset. */
    create: async (options: CreateDatasetOptions): Promise<Dataset> => {
      const { name, task, multiLabel } = options;
      const json = { name, task, multi_label: multiLabel };
      return ask(send, { method: 'POST', path, json, creates: true }, options);
    },

    /** One dataset, with its classes and how much it holds. */
    read: async (id: number, options: CallOptions = {}): Promise<CountedDataset> =>
      ask(send, { method: 'GET', path: datasetPath(id) }, options),

    /** Renames a dataset. */
    rename: async (id: number, options: RenameDatasetOptions): Promise<Dataset> =>
      ask(send, { method: 'PATCH', path: datasetPath(id), json: { name: options.name } }, options),

    /** Deletes a dataset and all that is in it. */
    remove: async (id: number, options: CallOptions = {}): Promise<DatasetReceipt> =>
      ask(send, { method: 'DELETE', path: datasetPath(id) }, options),

    /** Sends a zip of images and what they show; the answer is the job that imports it. */
    import: async (id: number, zip: Blob, options: ImportOptions = {}): Promise<Job> => {
      const form = new FormData();
      form.set('file', zip, 'dataset.zip');
      const query = { format: options.format };
      return ask(
        send,
        { method: 'POST', path: `${datasetPath(id)}/import`, query, form, creates: true },
        options,
      );
    },

    /** All findings of the last import, a line each. */
    importFindings: async (id: number, options: ImportFindingsOptions = {}): Promise<string> => {
      const query = { format: options.format };
      const findingsPath = `${datasetPath(id)}/import/findings`;
      return ask(send, { method: 'GET', path: findingsPath, query, wants: 'text' }, options);
    },

    /** The images and what they show, as one zip. */
    export: async (id: number, options: ExportOptions): Promise<Blob> => {
      const call = {
        method: 'GET',
        path: `${datasetPath(id)}/export`,
        query: { format: options.format },
      } as const;
      return ask(send, { ...call, wants: 'zip' }, options);
    },

    /** What would make a training on it worse. */
    check: async (id: number, options: CallOptions = {}): Promise<DatasetFindings> =>
      ask(send, { method: 'GET', path: `${datasetPath(id)}/check` }, options),

    /** Holds out a share of each class, of the labelled images that have no split yet. */
    split: async (id: number, options: SplitOptions = {}): Promise<DatasetSplitCounts> => {
      const json = { held_out: options.heldOut };
      return ask(send, { method: 'POST', path: `${datasetPath(id)}/split`, json }, options);
    },
  };
  return checked('datasets', calls, {
    page: [0, paged],
    list: [0, listed, true],
    create: [0, { name: 'needed', task: 'needed', multiLabel: 'optional' }],
    rename: [1, { name: 'needed' }],
    import: [2, { format: 'optional' }],
    importFindings: [1, { format: 'optional' }],
    export: [1, { format: 'needed' }],
    split: [1, { heldOut: 'optional' }],
  });
}
