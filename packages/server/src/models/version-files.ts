import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ModelManifest } from '@lynceus/engine';
import { Value } from 'typebox/value';
import { ServiceError } from '../core/service-error.js';
import type { ListedBlob } from '../storage/blobs/blob-store.js';
import { ownedUuid } from '../storage/blobs/owned-id.js';
import { syncFolder } from '../storage/durable-folder.js';
import { folderBytes } from '../storage/folder-bytes.js';
import { ifMissing } from '../storage/missing-file.js';
import type { ModelTask } from './model.js';

const uidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const drafts = 'drafts';

/** Folders of versions, each with its `model.onnx`, `manifest.json` and what else belongs to them. */
export interface VersionFiles {
  /** A path for a folder that is not there yet. */
  draft(accountId: number): Promise<string>;
  /** The UID that the draft's version will have. Throws for a path that is no draft's. */
  uidOf(draft: string): string;
  /** Makes a draft a version's folder, with this manifest. On disk when it resolves; answers the bytes of its `model.onnx`. */
  keep(draft: string, manifest: ModelManifest): Promise<number>;
  folder(uid: string): string;
  /** Of all files of a version. */
  bytes(uid: string): Promise<number>;
  /** What is not there is removed already. */
  remove(uid: string): Promise<void>;
  discard(draft: string): Promise<void>;
  list(): AsyncIterable<ListedBlob>;
  /** Paths of drafts, those that are being written among them. */
  listDrafts(): AsyncIterable<string>;
}

/** Drafts that a killed service left are removed, unless it is opened beside a service that may be making them. */
export async function openVersionFiles(
  dir: string,
  { mayServiceBeRunning = false } = {},
): Promise<VersionFiles> {
  const draftsDir = join(dir, drafts);
  if (!mayServiceBeRunning) await rm(draftsDir, { recursive: true, force: true });
  await mkdir(draftsDir, { recursive: true, mode: 0o700 });
  await syncFolder(dir);

  const uidOf = (draft: string): string => {
    const uid = basename(draft);
    if (!uidPattern.test(uid) || dirname(draft) !== draftsDir)
      throw new Error(`${draft} is no draft of a version`);
    return uid;
  };
  const folder = (uid: string): string => versionPath(dir, uid);

  return {
    uidOf,
    folder,
    async draft(accountId) {
      // It may have been deleted from outside.
      await mkdir(draftsDir, { recursive: true, mode: 0o700 });
      return join(draftsDir, ownedUuid(accountId));
    },

    async keep(draft, manifest) {
      const uid = uidOf(draft);
      const { size } = await stat(join(draft, 'model.onnx'));
      const temporaryPath = join(draft, 'manifest.json.new');
      await writeFile(temporaryPath, JSON.stringify(manifest), { flush: true });
      await rename(temporaryPath, join(draft, 'manifest.json'));
      await syncFolder(draft);
      await rename(draft, folder(uid));
      await syncFolder(dir);
      return size;
    },

    bytes: (uid) => folderBytes(folder(uid)),

    remove: (uid) => rm(folder(uid), { recursive: true, force: true }),

    async discard(draft) {
      uidOf(draft);
      await rm(draft, { recursive: true, force: true });
    },

    async *listDrafts() {
      for (const name of await readdir(draftsDir).catch(ifMissing([]))) {
        if (uidPattern.test(name)) yield join(draftsDir, name);
      }
    },

    async *list() {
      for (const id of await readdir(dir)) {
        if (!uidPattern.test(id)) continue;
        const found = await stat(join(dir, id)).catch(() => undefined);
        if (found) yield { id, writtenMs: found.mtimeMs };
      }
    },
  };
}

/** Where the folder of a version lies. */
export function versionPath(dir: string, uid: string): string {
  if (!uidPattern.test(uid)) throw new Error('this is no UID of a version');
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
