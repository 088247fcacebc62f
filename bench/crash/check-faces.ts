import { openFolderBlobs } from '#server/storage/blobs/folder-blobs.js';
import { dataFolder } from '#server/storage/data-folder.js';
import { ageFiles, confirmSweeps, orphanAgeMs } from '../kill/age-files.js';
import { anyOf } from '../kill/chance.js';
import { untilNone } from '../kill/until.js';
import type { Visitor } from '../load/visitor.js';
import { openStorageBesideService } from '../open-storage-beside-service.js';
import type { Service } from '../service.js';
import type { FaceLedger } from './face-ledger.js';
import { findLostFaces } from './lost-faces.js';
import { readStoredFaces, type StoredFaces } from './stored-faces.js';
import { findMisindexedFaces, findUnfoundFaces } from './unfound-faces.js';

/** For its sweep, which runs during its first answers, on a busy machine. */
const sweptWithinMs = 120_000;

/** Makes the images of faces older than the age limit of orphans: the next start must delete those. */
export async function ageImages(dataDir: string): Promise<void> {
  await ageFiles([dataFolder(dataDir).facesDir]);
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
    const read = () => readStoredFaces(storage.database, images, { modelId, orphanAgeMs });
    await untilNone(async () => (await read()).halves, sweptWithinMs);
    return await read();
  } finally {
    await storage.close();
  }
}
