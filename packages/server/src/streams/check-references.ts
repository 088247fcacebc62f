import { ServiceError } from '../core/service-error.js';
import type { Perceptions } from '../faces/perceptions.js';
import type { ChooseModel } from '../recognition/choose-model.js';
import type { Database } from '../storage/database.js';
import type { WholeSource } from './source-rows.js';
import type { StreamSettings } from './stream-settings.js';

interface ReferencesDeps {
  readonly chooseModel: ChooseModel;
  readonly perceptions: Pick<Perceptions, 'find'>;
}

/** Throws `invalid_model` for a detector or a perception that the account does not have, `wrong_parameters` for a classifier. */
export type CheckReferences = (
  accountId: number,
  settings: Pick<StreamSettings, 'modelReference' | 'perceptionId'>,
) => Promise<void>;

export function createCheckReferences({ chooseModel, perceptions }: ReferencesDeps): CheckReferences {
  return async (accountId, { modelReference, perceptionId }) => {
    if (modelReference !== null) await chooseModel(accountId, modelReference, 'object_detection');
    if (perceptionId === null || (await perceptions.find(accountId, String(perceptionId))) !== null) return;
    throw new ServiceError(
      'invalid_model',
      `settings.perception_id ${perceptionId} is not one of your perceptions`,
    );
  };
}

export interface SourceDeps {
  readonly database: Pick<Database, 'query'>;
  /** Devices that streams may read, comma separated. */
  readonly streamDevices: string;
}

/** Throws `wrong_parameters` for a device that is not allowed, or a video that the account does not have. */
export function createCheckSource({ database, streamDevices }: SourceDeps) {
  const devices = streamDevices.split(',').map((each) => each.trim());
  return async (accountId: number, { main }: WholeSource): Promise<void> => {
    if (main.kind === 'usb' && !devices.includes(main.device)) {
      throw new ServiceError(
        'wrong_parameters',
        `source.device ${main.device} is not allowed: the operator lists devices in LYNCEUS_STREAM_DEVICES`,
      );
    }
    if (main.kind !== 'video') return;
    const video = await database.query
      .selectFrom('video')
      .select('id')
      .where('account_id', '=', accountId)
      .where('id', '=', Number(main.videoId))
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
    if (!video)
      throw new ServiceError('wrong_parameters', `source.video_id ${main.videoId} is not one of your videos`);
  };
}
