import { Type } from 'typebox';
import { callerOf } from '../../../http/api/caller.js';
import { exactly, Id } from '../../../http/api/fields.js';
import { Job, toJob } from '../../../http/api/job.js';
import { JobPosition } from '../../../http/api/jobs.js';
import { PageOf, pageRequest, paging, toLargePageAnswer } from '../../../http/api/paging.js';
import type { ApiScope } from '../../../http/api/scope.js';
import { trainModelKind } from '../job-kinds.js';
import type { ModelDeps } from './deps.js';
import { ModelParams } from './fields.js';

const RunOptions = Type.Object(
  {
    none_of_these: Type.Optional(
      Type.Boolean({
        description:
          'true or false: whether a classifier has a class more, for images that show none of the others',
      }),
    ),
    second_look: Type.Optional(
      Type.Boolean({
        description:
          'true or false: whether a detector looks again at its boxes where that helps, for several times the time of a prediction',
      }),
    ),
    seed: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1, description: 'an integer from 0 to 2147483647' }),
    ),
    activate: Type.Optional(
      Type.Boolean({ description: 'true or false: whether the version predicts as soon as it is there' }),
    ),
  },
  { additionalProperties: false, description: 'an object of none_of_these, second_look, seed and activate' },
);
const RunList = PageOf(Job, 'A page of runs');
const usualSeed = 1;
const tags = ['models'];

/** Trainings of models. */
export function addRunRoutes(app: ApiScope, { modelWork, customModels, jobs }: ModelDeps): void {
  app.post('/models/:id/runs', {
    config: { right: 'change', audit: ['models.train', 'model'] },
    schema: {
      tags,
      operationId: 'trainModel',
      summary: 'Trains a model on a dataset, which makes a version, and answers the job that does it',
      params: ModelParams,
      body: exactly({ dataset_id: Id, options: Type.Optional(RunOptions) }),
      response: { 202: Job },
    },
    async handler(request) {
      const { accountId } = callerOf(request);
      const { dataset_id: datasetId, options = {} } = request.body;
      const { none_of_these: noneOfThese = false, seed = usualSeed, activate: isActivated = true } = options;
      const { second_look: secondLook } = options;
      const wanted = {
        datasetId,
        noneOfThese,
        ...(secondLook !== undefined && { secondLook }),
        seed,
        isActivated,
      };
      const id = await modelWork.startRun(accountId, request.params.id, wanted);
      return toJob(await jobs.read(accountId, id));
    },
  });

  app.get('/models/:id/runs', {
    config: { right: 'read' },
    schema: {
      tags,
      operationId: 'listRuns',
      summary: 'Trainings of a model, the newest first; ended ones for 90 days',
      params: ModelParams,
      querystring: exactly(paging),
      response: { 200: RunList },
    },
    async handler(request, reply) {
      const { accountId } = callerOf(request);
      const { id } = await customModels.models.read(accountId, request.params.id);
      const page = await jobs.list(
        accountId,
        { kind: trainModelKind, subject: String(id) },
        pageRequest(JobPosition, request.query),
      );
      return toLargePageAnswer(reply, page, toJob);
    },
  });
}
