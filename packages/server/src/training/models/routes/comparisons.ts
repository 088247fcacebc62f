import { Type } from 'typebox';
import { callerOf } from '../../../http/api/caller.js';
import { exactly, Id } from '../../../http/api/fields.js';
import { Job, toJob } from '../../../http/api/job.js';
import type { ApiScope } from '../../../http/api/scope.js';
import type { ModelDeps } from './deps.js';
import { ModelParams } from './fields.js';

/** Versions of a model held against each other. */
export function addComparisonRoute(app: ApiScope, { modelWork, jobs }: ModelDeps): void {
  app.post('/models/:id/comparisons', {
    config: { right: 'change', audit: ['models.compare', 'model'] },
    schema: {
      tags: ['models'],
      operationId: 'compareVersions',
      summary:
        'Asks two versions about the same held-out images; the result is that of the job in the answer',
      params: ModelParams,
      body: exactly({
        versions: Type.Array(Id, {
          minItems: 2,
          maxItems: 2,
          description: 'a list of two numbers of versions',
        }),
        dataset_id: Type.Optional(Id),
      }),
      response: { 202: Job },
    },
    async handler(request) {
      const { accountId } = callerOf(request);
      const { versions, dataset_id: datasetId } = request.body;
      const [first = 0, second = 0] = versions;
      const id = await modelWork.startComparison(accountId, request.params.id, { first, second, datasetId });
      return toJob(await jobs.read(accountId, id));
    },
  });
}
