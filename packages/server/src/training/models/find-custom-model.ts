import { quote } from '../../core/quote.js';
import { ServiceError } from '../../core/service-error.js';
import type { Perceptions } from '../../faces/perceptions.js';
import type { FindCustomModel } from '../../recognition/choose-model.js';
import type { Database } from '../../storage/database.js';
import type { Versions } from './model.js';
import type { Models } from './models.js';

interface FindCustomModelDeps {
  readonly database: Pick<Database, 'query'>;
  readonly models: Pick<Models, 'find'>;
  readonly versions: Pick<Versions, 'ref'>;
  readonly perceptions: Pick<Perceptions, 'find'>;
}

export function createFindCustomModel(deps: FindCustomModelDeps): FindCustomModel {
  const { models, versions, perceptions } = deps;
  return async (accountId, reference) => {
    const model = await models.find(accountId, reference);
    if (model === null) {
      if ((await perceptions.find(accountId, reference)) === null) return null;
      throw new ServiceError(
        'wrong_parameters',
        `model_id ${quote(reference)} is a perception, which /predict/face searches; this operation takes a model`,
      );
    }
    const version = await versionOf(deps, accountId, model.id);
    if (version === undefined) {
      throw new ServiceError(
        'wrong_parameters',
        `model_id ${quote(reference)} has no version yet: train it, or upload one`,
      );
    }
    const { id, uid, name, task } = model;
    const oneLabel = version.one_label === 1;
    return { id, uid, title: name, type: task, ref: versions.ref(model, version), oneLabel };
  };
}

/** The active version, read again: after an activation in between the later state counts. */
function versionOf({ database: { query } }: FindCustomModelDeps, accountId: number, modelId: number) {
  return query
    .selectFrom('model')
    .innerJoin('model_version', (join) =>
      join
        .onRef('model_version.account_id', '=', 'model.account_id')
        .onRef('model_version.model_id', '=', 'model.id')
        .onRef('model_version.number', '=', 'model.version'),
    )
    .select(['model_version.uid', 'model_version.one_label'])
    .where('model.account_id', '=', accountId)
    .where('model.id', '=', modelId)
    .executeTakeFirst();
}
