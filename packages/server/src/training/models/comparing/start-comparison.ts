import { ServiceError } from '../../../core/service-error.js';
import type { Jobs } from '../../../service/jobs/jobs.js';
import type { Database } from '../../../storage/database.js';
import type { Datasets } from '../../datasets/datasets.js';
import { compareVersionsKind } from '../job-kinds.js';
import type { Versions } from '../model.js';
import type { Models } from '../models.js';
import { startModelJob } from '../start-model-job.js';
import type { ComparisonRequest } from './comparison-request.js';

/**
 * Answers the id of the job. Without a dataset, that is taken which the model was trained on last. Throws `not_found`,
 * `wrong_parameters`, and `conflict` while another comparison of the model has not ended.
 */
export type StartComparison = (
  accountId: number,
  modelId: number,
  wanted: Omit<ComparisonRequest, 'datasetId'> & { readonly datasetId?: number | undefined },
) => Promise<string>;

interface StartComparisonDeps {
  readonly database: Database;
  readonly jobs: Pick<Jobs, 'insert' | 'wake'>;
  readonly models: Pick<Models, 'read'>;
  readonly versions: Pick<Versions, 'read'>;
  readonly datasets: Pick<Datasets, 'read'>;
}

export function createStartComparison(deps: StartComparisonDeps): StartComparison {
  const { models, versions, datasets } = deps;
  return async (accountId, modelId, { first, second, datasetId: given }) => {
    const model = await models.read(accountId, modelId);
    if (first === second) throw new ServiceError('wrong_parameters', 'versions must be two different ones');
    for (const number of [first, second]) await versions.read(accountId, modelId, number);
    const datasetId = given ?? model.datasetId;
    if (datasetId === null) {
      throw new ServiceError(
        'wrong_parameters',
        'the model was trained on no dataset here: give a dataset_id, with labelled images to compare on',
      );
    }
    const dataset = await datasets.read(accountId, datasetId);
    if (dataset.task !== model.task) {
      throw new ServiceError(
        'wrong_parameters',
        `dataset ${datasetId} is for ${dataset.task}, and model ${modelId} for ${model.task}`,
      );
    }
    return startModelJob(deps, accountId, {
      kind: compareVersionsKind,
      modelId,
      payload: { first, second, datasetId } satisfies ComparisonRequest,
    });
  };
}
