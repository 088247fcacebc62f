import { type ListOptions, listed, type Page, type PageOptions, paged, walkPages } from '../account/pages.js';
import type { Job } from '../api-types.js';
import type { CallOptions } from '../options.js';
import { ask, type Send } from '../service/call.js';
import { checked, checkNames, type Kinds } from '../service/checked.js';
import { modelPath } from './models.js';

export interface NewRun {
  readonly datasetId: number;
  /** Whether a classifier has a class more, for images that show none of the others; false unless given. */
  readonly noneOfThese?: boolean | undefined;
  /** Whether a detector looks again at its boxes where that helps: fewer false ones, slower; true unless given. */
  readonly secondLook?: boolean | undefined;
  /** The same images and the same seed give the same model. */
  readonly seed?: number | undefined;
  /** Whether to activate the version when it is trained; true unless given. */
  readonly activate?: boolean | undefined;
}

export interface NewComparison {
  /** Numbers of two versions. */
  readonly versions: readonly [number, number];
  /** Whose held-out images are asked about; what the model was trained on last unless given. */
  readonly datasetId?: number | undefined;
}

const pathOf = (modelId: number) => `${modelPath(modelId)}/runs`;

const runKinds: Kinds<NewRun> = {
  datasetId: 'needed',
  noneOfThese: 'optional',
  secondLook: 'optional',
  seed: 'optional',
  activate: 'optional',
};
const comparisonKinds: Kinds<NewComparison> = { versions: 'needed array', datasetId: 'optional' };

/** Trainings of models, and what compares their versions. */
export function createModelRuns(send: Send) {
  const page = async (modelId: number, options: PageOptions = {}): Promise<Page<Job>> => {
    const { limit, cursor } = options;
    return ask(send, { method: 'GET', path: pathOf(modelId), query: { limit, cursor } }, options);
  };
  const calls = {
    /** Starts a training run, which creates a version; the job that does it. */
    start: async (modelId: number, run: NewRun, options: CallOptions = {}): Promise<Job> => {
      checkNames('modelRuns.start', run, runKinds);
      const { datasetId, noneOfThese, secondLook, seed, activate } = run;
      const json = {
        dataset_id: datasetId,
        options: { none_of_these: noneOfThese, second_look: secondLook, seed, activate },
      };
      return ask(send, { method: 'POST', path: pathOf(modelId), json, creates: true }, options);
    },

    /** One page of `list`. */
    page,

    /** Trainings of a model, the newest first, for `for await`. */
    list: (modelId: number, options: ListOptions = {}) =>
      walkPages((cursor) => page(modelId, { ...options, cursor })),

    /** Asks two versions about the same held-out images; the job that does it. */
    compare: async (modelId: number, wanted: NewComparison, options: CallOptions = {}): Promise<Job> => {
      checkNames('modelRuns.compare', wanted, comparisonKinds);
      const json = { versions: wanted.versions, dataset_id: wanted.datasetId };
      const path = `${modelPath(modelId)}/comparisons`;
      return ask(send, { method: 'POST', path, json, creates: true }, options);
    },
  };
  return checked('modelRuns', calls, {
    page: [1, paged],
    list: [1, listed, true],
  });
}
