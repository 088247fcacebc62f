import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openFolderBlobs } from '#server/storage/blobs/folder-blobs.js';
import { dataFolder } from '#server/storage/data-folder.js';
import type { Visitor } from '../load/visitor.js';
import { openStorageBesideService } from '../open-storage-beside-service.js';
import type { Service } from '../service.js';
import { confirmSweeps } from './confirm-sweeps.js';
import type { FaceLedger } from './face-ledger.js';
import { findLostFaces } from './lost-faces.js';
import { anyOf } from './pick.js';
import { readStoredFaces, type StoredFaces } from './stored-faces.js';
import { findMisindexedFaces, findUnfoundFaces } from './unfound-faces.js';

/** The age at which the service deletes an image without a row. */
const orphanAgeMs = 3_600_000;
/** For its sweep, which runs during its first answers, on a busy machine. */
const sweptWithinMs = 120_000;

/** Makes the images of faces older than the age limit of orphans: the next start must delete those. */
export async function ageImages(dataDir: string): Promise<void> {
  const then = new Date(Date.now() - 2 * orphanAgeMs);
  const files = await readdir(dataFolder(dataDir).facesDir, { recursive: true, withFileTypes: true });
  for (const file of files) if (file.isFile()) await utimes(join(file.parentPath, file.name), then, then);
  await confirmSweeps(dataDir, ['faces']);
}

/**
 * Compares a restarted service with the acknowledged faces, and its index with the database.
 * @param searches Maximum of searched images, half of them those added last.
 */
export async function checkFaces(
  visitor: Visitor,
  { metricsUrl }: Pick<Service, 'metricsUrl'>,
  asked: { readonly dataDir: string; readonly key: string; readonly modelId: number },
  ledger: FaceLedger,
  searches: number,
): Promise<readonly string[]> {
  const { dataDir, key, modelId } = asked;
  const stored = await readAfterSweep(dataDir, modelId);
  const lost = findLostFaces(stored, ledger);
  const [newest, older] = [stored.rows.slice(0, searches / 2), stored.rows.slice(searches / 2)];
  const deleted = [...ledger.images].flatMap(([id, { image, isDeleted }]) =>
    isDeleted === 'yes' ? [{ id, image }] : [],
  );
  const unfound = await findUnfoundFaces(visitor, {
    modelId,
    key,
    present: [...newest, ...anyOf(older, searches / 2)],
    deleted: anyOf(deleted, searches / 4),
  });
  const misindexed = await findMisindexedFaces(metricsUrl, stored.rows.length);
  return [...stored.halves, ...lost, ...unfound, ...misindexed];
}

async function readAfterSweep(dataDir: string, modelId: number): Promise<StoredFaces> {
  const storage = await openStorageBesideService(dataDir);
  try {
    const images = await openFolderBlobs(dataFolder(dataDir).facesDir, { mayServiceBeRunning: true });
    const deadline = performance.now() + sweptWithinMs;
    for (;;) {
      const stored = await readStoredFaces(storage.database, images, { modelId, orphanAgeMs });
      if (stored.halves.length === 0 || performance.now() > deadline) return stored;
      await sleep(500);
    }
  } finally {
    await storage.close();
  }
}
