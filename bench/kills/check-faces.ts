import type { BlobStore } from '#server/storage/blobs/blob-store.js';
import { openFolderBlobs } from '#server/storage/blobs/folder-blobs.js';
import { dataFolder } from '#server/storage/data-folder.js';
import type { Database } from '#server/storage/database.js';
import { openCommandStorage } from '#server/storage/open-storage.js';
import { concurrently } from '../concurrently.js';
import { formOf } from '../load/form.js';
import { readObject } from '../load/told.js';
import type { Visitor } from '../load/visitor.js';
import type { FacesOnStage } from './acts.js';
import type { FaceLedger, Ledger } from './ledger.js';

/** Searches a round; each finds a face in a picture. */
const searchesAtMost = 12;
const vectorBytes = 512 * 4;

/** Holds the enrolled images to the ledger: rows, vectors, pictures, and what a search of the service finds. */
export async function findLostFaces(
  visitor: Visitor,
  key: string,
  dataDir: string,
  faces: FacesOnStage,
  ledger: Ledger,
): Promise<readonly string[]> {
  const storage = await openCommandStorage(dataFolder(dataDir));
  try {
    const rows = await readImages(storage.database, faces.modelId);
    const pictures = await openFolderBlobs(dataFolder(dataDir).facesDir, { isBeside: true });
    return [
      ...lostRows(rows, ledger.faces),
      ...(await halfRows(rows, pictures)),
      ...(await lostFromSearch(visitor, key, faces, rows, ledger)),
    ];
  } finally {
    await storage.close();
  }
}

interface ImageRow {
  readonly id: number;
  readonly personId: number;
  readonly keyId: string | null;
  readonly blobId: string;
  readonly pictureBytes: number;
  readonly vector: Uint8Array | null;
}

async function readImages({ query }: Database, modelId: number): Promise<readonly ImageRow[]> {
  return query
    .selectFrom('face_image')
    .leftJoin('face_embedding', (join) =>
      join
        .onRef('face_embedding.account_id', '=', 'face_image.account_id')
        .onRef('face_embedding.image_id', '=', 'face_image.id'),
    )
    .select([
      'face_image.id',
      'face_image.person_id as personId',
      'face_image.key_id as keyId',
      'face_image.blob_id as blobId',
      'face_image.picture_bytes as pictureBytes',
      'face_embedding.vector',
    ])
    .where('face_image.perception_id', '=', modelId)
    .execute();
}

function lostRows(rows: readonly ImageRow[], { images, sent }: FaceLedger): string[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const lost = [...images].flatMap(([id, { to }]) => {
    const row = byId.get(id);
    if (!row) return [`face image ${id} is gone`];
    const isTheirs = typeof to === 'number' ? row.personId === to : row.keyId === to;
    return isTheirs ? [] : [`face image ${id} is of person ${row.personId} (${row.keyId}), not ${to}`];
  });
  return rows.length <= sent ? lost : [...lost, `${rows.length} face images of ${sent} sent`];
}

/** Rows without all that belongs to them, acknowledged or not. */
async function halfRows(rows: readonly ImageRow[], pictures: Pick<BlobStore, 'read'>): Promise<string[]> {
  const halves = await concurrently([...rows], 4, async ({ id, blobId, pictureBytes, vector }) => {
    const kept = await pictures.read(blobId);
    kept?.stream.destroy();
    const bytes = kept?.sizeBytes;
    return [
      ...(vector?.byteLength === vectorBytes
        ? []
        : [`face image ${id} has a vector of ${vector?.byteLength} bytes`]),
      ...(bytes === pictureBytes
        ? []
        : [`face image ${id} has a picture of ${bytes} bytes, not ${pictureBytes}`]),
    ];
  });
  return halves.flat();
}

/** The picture of an acknowledged image is asked for, of its person alone: it must be found as itself. */
async function lostFromSearch(
  visitor: Visitor,
  key: string,
  { modelId, pictures }: FacesOnStage,
  rows: readonly ImageRow[],
  { faces: { images }, calls: { unlimited } }: Ledger,
): Promise<string[]> {
  const persons = new Map(rows.map(({ id, personId }) => [id, personId]));
  const looked = [...images].sort(() => Math.random() - 0.5).slice(0, searchesAtMost);
  const losses = await concurrently(looked, 2, async ([id, { look }]) => {
    const path = `/predict/face?model_id=${modelId}&person_id_filter=${persons.get(id)}&apikey=${key}`;
    // The key is the unlimited account's, and a search is a call like any other.
    unlimited.sent += 1;
    const answer = await visitor.ask({ method: 'POST', path, ...formOf(pictures[look] ?? '') });
    if (answer.told === '200') unlimited.answered += 1;
    const found = readObject(answer.text)['similar_faces'];
    const [best] = Array.isArray(found) ? found.map(readObject) : [];
    return Number(best?.['similarity']) > 0.95
      ? []
      : [`face image ${id} is not found: ${answer.told} ${answer.text}`];
  });
  return losses.flat();
}
