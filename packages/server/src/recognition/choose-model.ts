import type { ModelRef } from '@lynceus/engine';
import { quote } from '../core/quote.js';
import { ServiceError } from '../core/service-error.js';
import type { BuiltinModels } from '../service/builtin/builtin-models.js';
import type { BuiltinModel, ModelType } from '../service/builtin/shipped-models.js';

/** A customer's model in the version that predicts when it is chosen. */
export interface CustomModel {
  readonly uid: string;
  readonly id: number;
  readonly title: string;
  readonly type: ModelType;
  readonly ref: ModelRef;
  /** Whether an object gets one label only; for a detector. */
  readonly oneLabel: boolean;
}

/** What can be asked about an image by `model_id`. */
export type PredictionModel = BuiltinModel | CustomModel;

/**
 * A model of the account by number or UID; null when there is none. Throws `wrong_parameters` for a perception, and for a
 * model without a version.
 */
export type FindCustomModel = (accountId: number, reference: string) => Promise<CustomModel | null>;

/**
 * The model that a caller names by UID or by number: a built-in one, or one of the account. Throws `invalid_model` when there
 * is none, alike for another account's, and `wrong_parameters` for one of another type than is wanted.
 */
export type ChooseModel = (
  accountId: number,
  reference: string | number,
  type?: ModelType,
) => Promise<PredictionModel>;

export function createChooseModel(
  builtinModels: Pick<BuiltinModels, 'all' | 'find'>,
  findCustomModel: FindCustomModel,
): ChooseModel {
  return async (accountId, reference, type) => {
    const wanted = String(reference).trim();
    const found = builtinModels.find(wanted) ?? (await findCustomModel(accountId, wanted));
    if (found === null) {
      const builtIn = builtinModels.all.flatMap((model) =>
        type === undefined || model.type === type ? `${model.uid} (${model.id})` : [],
      );
      throw new ServiceError(
        'invalid_model',
        `model_id ${quote(wanted)} is not one of your models; built in are ${builtIn.join(', ')}`,
      );
    }
    if (type !== undefined && found.type !== type) {
      throw new ServiceError(
        'wrong_parameters',
        `model_id ${found.uid} is for ${found.type}; this operation takes a model for ${type}`,
      );
    }
    return found;
  };
}
