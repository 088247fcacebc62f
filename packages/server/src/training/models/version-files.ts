import { readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ModelManifest } from '@lynceus/engine';
import { Value } from 'typebox/value';
import { ServiceError } from '../../core/service-error.js';
import type { BlobStore, HeldFile, ListedBlob } from '../../storage/blobs/blob-store.js';
import { syncFolder } from '../../storage/durable-folder.js';
import { folderBytes } from '../../storage/folder-bytes.js';
import type { ObjectFolders } from '../../storage/objects/object-folders.js';
import { type Drafts, openDrafts, versionUidPattern } from './drafts.js';
import type { ModelTask } from './model.js';

/** Folders of versions, each with its `model.onnx`, `manifest.json` and what else belongs to them. */
export interface VersionFiles extends Omit<Drafts, 'complete'>, Pick<BlobStore, 'remove'> {
  /** Makes a draft a version's folder, with this manifest. Durable when it resolves; answers the bytes of its `model.onnx`. */
  keep(draft: string, manifest: ModelManifest): Promise<number>;
  /** Where the folder of a version is on this machine: for as long as it is held, or by a runner that holds it itself. */
  folder(uid: string): string;
  /** The folder of a version on this machine, until it is released; null where there are no files of it. */
  hold(uid: string): Promise<HeldFile | null>;
  /** Of all files of a version; 0 where there are none. */
  bytes(uid: string): Promise<number>;
  list(): AsyncIterable<ListedBlob>;
  /** Where a version lies, whether or not it is there, as the quarantine takes it: a path, or a key of a bucket. */
  placeOf(uid: string): string;
}

interface VersionFilesOptions {
  /** Drafts that a killed service left are removed, unless it is opened beside a service that may be making them. */
  readonly mayServiceBeRunning?: boolean;
  /** Where versions are in a bucket; their drafts are in the folder all the same. */
  readonly objects?: ObjectFolders | null;
}

/** @param dir of drafts, and of versions where these are in no bucket */
export async function openVersionFiles(
  dir: string,
  { mayServiceBeRunning = false, objects = null }: VersionFilesOptions = {},
): Promise<VersionFiles> {
  const drafts = await openDrafts(draftsDir(dir), { mayServiceBeRunning });
  return { ...drafts, ...(objects ? filesInBucket(objects, drafts) : filesInFolder(dir, drafts)) };
}

type KeptFiles = Omit<VersionFiles, keyof Drafts>;

function filesInFolder(dir: string, { uidOf, complete }: Drafts): KeptFiles {
  const folder = (uid: string): string => versionPath(dir, uid);
  return {
    folder,
    placeOf: folder,
    hold: async (uid) => ({ path: folder(uid), release: () => undefined }),
    bytes: (uid) => folderBytes(folder(uid)),
    remove: (uid) => rm(folder(uid), { recursive: true, force: true }),

    async keep(draft, manifest) {
      const size = await complete(draft, manifest);
      await rename(draft, folder(uidOf(draft)));
      await syncFolder(dir);
      return size;
    },

    async *list() {
      for (const id of await readdir(dir)) {
        if (!versionUidPattern.test(id)) continue;
        const found = await stat(join(dir, id)).catch(() => undefined);
        if (found) yield { id, writtenMs: found.mtimeMs };
      }
    },
  };
}

function filesInBucket(objects: ObjectFolders, { uidOf, complete }: Drafts): KeptFiles {
  const { folder, placeOf, hold, remove, list } = objects;
  return {
    folder,
    placeOf,
    hold,
    remove,
    list,
    bytes: async (uid) => (await objects.sizeOf(uid)) ?? 0,

    async keep(draft, manifest) {
      const size = await complete(draft, manifest);
      await objects.keep(uidOf(draft), draft);
      return size;
    },
  };
}

/** Where drafts of versions are. */
export function draftsDir(dir: string): string {
  return join(dir, 'drafts');
}

/** Where the folder of a version lies that is in no bucket. */
export function versionPath(dir: string, uid: string): string {
  if (!versionUidPattern.test(uid)) throw new Error('this is no UID of a version');
  return join(dir, uid);
}

const familyOf = { classification: 'classifier', object_detection: 'detector' } as const satisfies Record<
  ModelTask,
  ModelManifest['family']
>;

/** Of a draft. Throws `wrong_parameters` for a model of another task. */
export async function readManifest(folder: string, task: ModelTask): Promise<ModelManifest> {
  const manifest = Value.Parse(
    ModelManifest,
    JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')),
  );
  if (manifest.family === familyOf[task]) return manifest;
  throw new ServiceError(
    'wrong_parameters',
    `the file is ${manifest.family === 'detector' ? 'a detector' : `of the family ${manifest.family}`}, and this model is for ${task}: create a model of the other task, or give the family`,
  );
}
