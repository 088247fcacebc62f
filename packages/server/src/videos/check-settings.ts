import { ServiceError } from '../core/service-error.js';
import type { Perceptions } from '../faces/perceptions.js';
import type { ChooseModel } from '../recognition/choose-model.js';
import type { VideoSettings } from './video-settings.js';

/** Throws `invalid_model` for a detector or a perception that the account does not have, `wrong_parameters` for a classifier. */
export type CheckVideoSettings = (accountId: number, settings: VideoSettings) => Promise<void>;

export function createCheckVideoSettings({
  chooseModel,
  perceptions,
}: {
  readonly chooseModel: ChooseModel;
  readonly perceptions: Pick<Perceptions, 'find'>;
}): CheckVideoSettings {
  return async (accountId, { modelReference, perceptionId }) => {
    if (modelReference !== null) await chooseModel(accountId, modelReference, 'object_detection');
    if (perceptionId === null || (await perceptions.find(accountId, String(perceptionId))) !== null) return;
    throw new ServiceError(
      'invalid_model',
      `settings.perception_id ${perceptionId} is not one of your perceptions`,
    );
  };
}
