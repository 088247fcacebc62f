import { lstat, readFile, rm } from 'node:fs/promises';
import type { AccountFiles } from '../accounts/deletion/account-files.js';
import {
  analysisImageFiles,
  datasetImageFiles,
  datasetUids,
  dropFileIds,
  faceImageFiles,
  modelVersionUids,
} from '../accounts/deletion/named-files.js';
import { type DeletableStore, storeFiles } from '../accounts/deletion/store-files.js';
import { hashKey } from '../accounts/key.js';
import { namedImports } from '../datasets/import/import-job.js';
import type { FileBytes } from '../drops/files/file-bytes.js';
import { partsOf } from '../drops/files/file-parts.js';
import type { FaceDatabase } from '../faces/face-database.js';
import type { FeatureFolders } from '../models/feature-folders.js';
import type { VersionFiles } from '../models/version-files.js';
import type { BlobStore } from '../storage/blobs/blob-store.js';
import { ownerOfId } from '../storage/blobs/owned-id.js';
import type { DataFolder } from '../storage/data-folder.js';
import type { Database } from '../storage/database.js';
import { ifMissing } from '../storage/missing-file.js';

type Blobs = Pick<BlobStore, 'list' | 'locate' | 'remove'>;

export interface AccountFilesDeps {
  readonly database: Database;
  /** Of analyses, of faces, of datasets; with each that is removed its thumbnails go. */
  readonly imageFiles: Blobs;
  readonly faces: { readonly imageFiles: Blobs; readonly index: Pick<FaceDatabase['index'], 'drop'> };
  readonly datasetImages: Blobs;
  readonly imports: Blobs;
  readonly customModels: {
    readonly files: Pick<VersionFiles, 'list' | 'listDrafts' | 'bytes' | 'remove'>;
    readonly features: Pick<FeatureFolders, 'list' | 'bytes' | 'remove'>;
  };
  readonly folder: Pick<DataFolder, 'firstKeyPath'>;
  readonly drops: { readonly bytes: Pick<FileBytes, 'list' | 'sizeOf' | 'remove'> };
}

/** The stores of this service with files of accounts. A new store gets its place here. */
export function createAccountFiles(deps: AccountFilesDeps): readonly AccountFiles[] {
  const { database, faces, customModels, drops } = deps;
  return [
    // First, so that nobody reads the vectors of faces from memory.
    galleries(database, faces.index),
    storeFiles('drops', drops.bytes, dropFileIds(database), partsOf),
    storeFiles('images', ofBlobs(deps.imageFiles), analysisImageFiles(database)),
    storeFiles('faces', ofBlobs(faces.imageFiles), faceImageFiles(database)),
    storeFiles('datasets', ofBlobs(deps.datasetImages), datasetImageFiles(database)),
    storeFiles('imports', ofBlobs(deps.imports), namedImports(database)),
    storeFiles('models', ofVersions(customModels.files), modelVersionUids(database)),
    drafts(customModels.files),
    storeFiles('features', ofFeatures(customModels.features), datasetUids(database)),
    firstKey(database, deps.folder),
  ];
}

function ofBlobs({ list, locate, remove }: Blobs): DeletableStore {
  return {
    list,
    remove,
    async sizeOf(id) {
      const path = await locate(id);
      const found = path === null ? undefined : await lstat(path).catch(ifMissing(undefined));
      return found?.size ?? 0;
    },
  };
}

function ofVersions({ list, bytes, remove }: AccountFilesDeps['customModels']['files']): DeletableStore {
  return { list, remove, sizeOf: (uid) => bytes(uid) };
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

function ofFeatures({ list, bytes, remove }: AccountFilesDeps['customModels']['features']): DeletableStore {
  return {
    async *list() {
      for (const id of await list()) yield { id };
    },
    remove,
    sizeOf: (uid) => bytes(uid),
  };
}

/** Faces that this service holds in memory. */
function galleries(
  { query }: Pick<Database, 'query'>,
  index: AccountFilesDeps['faces']['index'],
): AccountFiles {
  return {
    store: 'galleries',
    async deleteNamed(accountId, onBatch) {
      const perceptions = await query
        .selectFrom('perception')
        .select(['id', 'embedder'])
        .where('account_id', '=', accountId)
        .execute();
      for (const { id: perceptionId, embedder } of perceptions) {
        await index.drop({ accountId, perceptionId, embedder });
        await onBatch({ items: 0, bytes: 0 });
      }
    },
    deleteOrphans: async () => undefined,
  };
}

/** The key of the first account lies in a file until somebody reads it. */
function firstKey(
  { query }: Pick<Database, 'query'>,
  { firstKeyPath }: Pick<DataFolder, 'firstKeyPath'>,
): AccountFiles {
  return {
    store: 'first-key',
    async deleteNamed(accountId, onBatch) {
      const key = await readFile(firstKeyPath, 'utf8').catch(ifMissing(null));
      if (key === null) return;
      const owner = await query
        .selectFrom('api_key')
        .select('account_id as id')
        .where('hash', '=', hashKey(key.trim()))
        .executeTakeFirst();
      if (owner?.id !== accountId) return;
      await rm(firstKeyPath, { force: true });
      await onBatch({ items: 1, bytes: key.length });
    },
    deleteOrphans: async () => undefined,
  };
}
