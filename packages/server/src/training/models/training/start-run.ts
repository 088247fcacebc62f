import { ServiceError } from '../../../core/service-error.js';
import type { Jobs } from '../../../service/jobs/jobs.js';
import type { Database } from '../../../storage/database.js';
import type { Datasets } from '../../datasets/datasets.js';
import { trainModelKind } from '../job-kinds.js';
import type { ModelQuota } from '../model-quota.js';
import type { Models } from '../models.js';
import { startModelJob } from '../start-model-job.js';
import type { TrainingRequest } from './training-request.js';

/**
 * Answers the id of the job. Throws `not_found` for a model or dataset that there is not, `wrong_parameters` for a dataset
 * of another task, `conflict` while another run of the model has not ended, `account_full` and `no_space` where its version
 * would have no room.
 */
export type StartRun = (accountId: number, modelId: number, wanted: TrainingRequest) => Promise<string>;

interface StartRunDeps {
  readonly database: Database;
  readonly jobs: Pick<Jobs, 'insert' | 'wake'>;
  readonly models: Pick<Models, 'read'>;
  readonly datasets: Pick<Datasets, 'read'>;
  readonly quota: ModelQuota;
}

export function createStartRun(deps: StartRunDeps): StartRun {
  const { models, datasets, quota } = deps;
  return async (accountId, modelId, wanted) => {
    const model = await models.read(accountId, modelId);
    const dataset = await datasets.read(accountId, wanted.datasetId);
    if (model.task !== dataset.task) {
      throw new ServiceError(
        'wrong_parameters',
        `dataset ${dataset.id} is for ${dataset.task}, and model ${model.id} for ${model.task}: take a dataset of the model's task`,
      );
    }
    if (wanted.noneOfThese && model.task !== 'classification') {
      throw new ServiceError('wrong_parameters', 'none_of_these is for models for classification alone');
    }
    if (wanted.noneOfThese && dataset.multiLabel) {
      throw new ServiceError(
        'wrong_parameters',
        'none_of_these is not for a dataset of several classes an image: there, no class is an answer already',
      );
    }
    if (wanted.secondLook !== undefined && model.task !== 'object_detection') {
      throw new ServiceError(
        'wrong_parameters',
        'second_look (--no-second-look) is for models for object detection alone',
      );
    }
    await quota.requireVersion(accountId);
    return startModelJob(deps, accountId, { kind: trainModelKind, modelId, payload: wanted });
  };
}
