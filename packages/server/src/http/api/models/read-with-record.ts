import { readImportRecord } from '@lynceus/engine';
import type { Static } from 'typebox';
import type { ModelVersion } from '../../../models/model.js';
import type { ModelStore } from '../../../models/model-store.js';
import { type ReadVersion, toReadVersion } from './version.js';

/** A version as it is answered, with how its file was understood where it was uploaded. */
export async function readWithRecord(
  { models, versions }: Pick<ModelStore, 'models' | 'versions'>,
  accountId: number,
  version: ModelVersion,
): Promise<Static<typeof ReadVersion>> {
  const record = version.origin === 'upload' ? await readImportRecord(versions.folder(version)) : null;
  return toReadVersion(await models.read(accountId, version.modelId), version, record);
}
