import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { ModelManifest } from '@lynceus/engine';
import { ownedUuid } from '../../storage/blobs/owned-id.js';
import { syncFolder } from '../../storage/durable-folder.js';
import { ifMissing } from '../../storage/missing-file.js';

export const versionUidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Folders of versions in the making, on the machine that makes them. */
export type Drafts = Awaited<ReturnType<typeof openDrafts>>;

/** Drafts that a killed service left are removed, unless they are opened beside a service that may be making them. */
export async function openDrafts(draftsDir: string, { mayServiceBeRunning = false } = {}) {
  if (!mayServiceBeRunning) await rm(draftsDir, { recursive: true, force: true });
  await mkdir(draftsDir, { recursive: true, mode: 0o700 });
  await syncFolder(dirname(draftsDir));

  const uidOf = (draft: string): string => {
    const uid = basename(draft);
    if (!versionUidPattern.test(uid) || dirname(draft) !== draftsDir)
      throw new Error(`${draft} is no draft of a version`);
    return uid;
  };

  return {
    /** The UID that the draft's version will have. Throws for a path that is no draft's. */
    uidOf,

    /** A path for a folder that is not there yet. */
    async draft(accountId: number): Promise<string> {
      // It may have been deleted from outside.
      await mkdir(draftsDir, { recursive: true, mode: 0o700 });
      return join(draftsDir, ownedUuid(accountId));
    },

    /** Gives a draft its manifest; answers the bytes of its `model.onnx`. On disk when it resolves. */
    async complete(draft: string, manifest: ModelManifest): Promise<number> {
      uidOf(draft);
      const { size } = await stat(join(draft, 'model.onnx'));
      const temporaryPath = join(draft, 'manifest.json.new');
      await writeFile(temporaryPath, JSON.stringify(manifest), { flush: true });
      await rename(temporaryPath, join(draft, 'manifest.json'));
      await syncFolder(draft);
      return size;
    },

    async discard(draft: string) {
      uidOf(draft);
      await rm(draft, { recursive: true, force: true });
    },

    /** Paths of drafts, those that are being written among them. */
    async *listDrafts(): AsyncIterable<string> {
      for (const name of await readdir(draftsDir).catch(ifMissing([]))) {
        if (versionUidPattern.test(name)) yield join(draftsDir, name);
      }
    },
  };
}
