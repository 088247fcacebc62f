import { toPathPart } from '../account/path-part.js';
import type { DatasetClass } from '../api-types.js';
import type { CallOptions } from '../options.js';
import { ask, type Send } from '../service/call.js';
import { checked } from '../service/checked.js';
import { datasetPath } from './datasets.js';

export interface DatasetClassOptions extends CallOptions {
  /** 1 to 200 characters, which no other class of the dataset has. */
  readonly name: string;
}

export interface MergeClassOptions extends CallOptions {
  /** The class that stays. */
  readonly into: number;
}

export interface RemoveClassOptions extends CallOptions {
  /** Also one that images have; its labels go with it. */
  readonly force?: boolean | undefined;
}

const pathOf = (datasetId: number, id: number) => `${datasetPath(datasetId)}/classes/${toPathPart('id', id)}`;

/** What images of a dataset can show; `datasets.read` lists them. */
export function createDatasetClasses(send: Send) {
  const calls = {
    /** Adds a class. */
    create: async (datasetId: number, options: DatasetClassOptions): Promise<DatasetClass> => {
      const path = `${datasetPath(datasetId)}/classes`;
      return ask(send, { method: 'POST', path, json: { name: options.name }, creates: true }, options);
    },

    /** Renames a class. */
    rename: async (datasetId: number, id: number, options: DatasetClassOptions): Promise<DatasetClass> =>
      ask(send, { method: 'PATCH', path: pathOf(datasetId, id), json: { name: options.name } }, options),

    /** Merges this class into another: its labels are moved, and this class is deleted. */
    merge: async (datasetId: number, id: number, options: MergeClassOptions): Promise<DatasetClass> => {
      const path = `${pathOf(datasetId, id)}/merge`;
      return ask(send, { method: 'POST', path, json: { into: options.into } }, options);
    },

    /** Deletes a class. */
    remove: async (datasetId: number, id: number, options: RemoveClassOptions = {}): Promise<void> =>
      ask(send, { method: 'DELETE', path: pathOf(datasetId, id), query: { force: options.force } }, options),
  };
  return checked('datasetClasses', calls, {
    create: [1, { name: 'needed' }],
    rename: [2, { name: 'needed' }],
    merge: [2, { into: 'needed' }],
    remove: [2, { force: 'optional' }],
  });
}
