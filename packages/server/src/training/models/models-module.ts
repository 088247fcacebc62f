import { rm } from 'node:fs/promises';
import { defaultUploadLimits } from '@lynceus/engine';
import type { FaceDatabase } from '../../faces/face-database.js';
import { type ChooseModel, createChooseModel } from '../../recognition/choose-model.js';
import type { Core } from '../../service/core.js';
import { finishDeletions, type Module, plainSweep, sweepCutDeletions } from '../../service/module.js';
import { type AccountFiles, filesNamedBy, storeFiles } from '../../storage/account-files.js';
import { ownerOfId } from '../../storage/blobs/owned-id.js';
import { fileColumns } from '../../storage/file-columns.js';
import type { ObjectFolders } from '../../storage/objects/object-folders.js';
import type { SweptStore } from '../../storage/quarantine/sweep-store.js';
import type { Sweep } from '../../storage/sweeps/sweep.js';
import type { DatasetsModule } from '../datasets/datasets-module.js';
import { createSuggestLabels, type SuggestLabels } from '../datasets/suggest-labels.js';
import { createFindCustomModel } from './find-custom-model.js';
import { type ModelStore, openModelStore } from './model-store.js';
import { createModelWork, type ModelWork } from './model-work.js';
import { createUploadVersion, type UploadVersion } from './upload-version.js';
import type { VersionFiles } from './version-files.js';

export interface ModelsModule extends Module {
  readonly customModels: ModelStore;
  readonly modelWork: ModelWork;
  readonly uploadVersion: UploadVersion;
  readonly chooseModel: ChooseModel;
  readonly suggestLabels: SuggestLabels;
}

interface ModelsModuleDeps extends Pick<DatasetsModule, 'datasets'> {
  readonly faces: Pick<FaceDatabase, 'perceptions'>;
}

/** Customers' models: trained on their datasets, uploaded, compared, chosen by calls. */
export async function openModelsModule(
  core: Core,
  { datasets, faces: { perceptions } }: ModelsModuleDeps,
): Promise<ModelsModule> {
  const { settings, database } = core;
  const customModels = await openModelStore({ ...core, limits: settings });
  const { files, features } = customModels;
  const modelWork = createModelWork({
    ...core,
    datasets,
    store: customModels,
    limits: settings,
  });
  const chooseModel = createChooseModel(
    core.builtinModels,
    createFindCustomModel({ ...customModels, database, perceptions }),
  );
  const versionUids = filesNamedBy(database, fileColumns.models);
  const datasetUids = filesNamedBy(database, {
    table: 'dataset',
    column: 'uid',
    condition: '1 = 1',
    order: ['id'],
  });
  return {
    customModels,
    modelWork,
    chooseModel,
    uploadVersion: createUploadVersion({
      ...customModels,
      limits: {
        ...defaultUploadLimits,
        maxFileBytes: settings.maxModelBytes,
        // It reads and writes the file besides running the model.
        maxRssBytes: 2 * settings.customInferenceMaxBytes,
      },
    }),
    suggestLabels: createSuggestLabels({ ...core, ...settings, ...datasets, chooseModel }),
    kinds: modelWork.kinds,
    sweeps: [
      sweepCutDeletions('cut-deletions-of-models', customModels.deletion),
      { ...plainSweep('features', () => customModels.sweepFeatures()), isLocal: true },
      ...(core.objects ? [sweepCopies(core.objects.models, customModels.sweptVersions)] : []),
    ],
    sweptStores: [customModels.sweptVersions],
    accountFiles: [
      storeFiles('models', { ...files, sizeOf: files.bytes }, versionUids),
      drafts(files),
      storeFiles(
        'features',
        {
          ...features,
          sizeOf: features.bytes,
          async *list() {
            for (const id of await features.list()) yield { id };
          },
        },
        datasetUids,
      ),
    ],
    component: finishDeletions('models', customModels.deletion),
  };
}

/** Copies on this machine of versions that were deleted through other replicas. */
function sweepCopies(
  { kept, forget }: Pick<ObjectFolders, 'kept' | 'forget'>,
  { findNamed }: Pick<SweptStore, 'findNamed'>,
): Sweep {
  const work = async () => {
    const uids = kept();
    if (uids.length === 0) return;
    const named = await findNamed(uids);
    for (const uid of uids) if (!named.has(uid)) await forget(uid);
  };
  // They are fetched again.
  return { ...plainSweep('model-copies', work), isLocal: true, isRepair: true };
}

/** What a training or an upload was writing. */
function drafts({ listDrafts }: Pick<VersionFiles, 'listDrafts'>): AccountFiles {
  return {
    store: 'drafts',
    deleteNamed: async () => undefined,
    async deleteOrphans(accountId, onBatch) {
      for await (const path of listDrafts()) {
        if (ownerOfId(path.slice(path.lastIndexOf('/') + 1)) !== accountId) continue;
        await rm(path, { recursive: true, force: true });
        await onBatch({ items: 1, bytes: 0 });
      }
    },
  };
}
