import { createHash } from 'node:crypto';
import type { BlobStore } from '#server/storage/blobs/blob-store.js';
import type { Database } from '#server/storage/database.js';
import { concurrently } from '../concurrently.js';

/** Faces in the database, and in the folder of their images. */
export interface StoredFaces {
  /** The last added first. */
  readonly rows: readonly ImageRow[];
  readonly people: ReadonlySet<number>;
  /** Descriptions of incomplete records: a row without its vector or image, a vector or image without a row. */
  readonly halves: readonly string[];
}

export interface ImageRow {
  readonly id: number;
  readonly personId: number;
  /** Of the person. */
  readonly keyId: string | null;
  readonly sha256: string;
  /** Null where it is missing. */
  readonly image: Buffer | null;
}

const vectorBytes = 512 * 4;

/** @param orphanAgeMs images without a row up to this age are allowed, because their row may follow */
export async function readStoredFaces(
  { query }: Pick<Database, 'query'>,
  images: Pick<BlobStore, 'read' | 'list'>,
  { modelId, orphanAgeMs }: { readonly modelId: number; readonly orphanAgeMs: number },
): Promise<StoredFaces> {
  const found = await query
    .selectFrom('face_image')
    .innerJoin('person', (join) =>
      join
        .onRef('person.account_id', '=', 'face_image.account_id')
        .onRef('person.id', '=', 'face_image.person_id'),
    )
    .leftJoin('face_embedding', (join) =>
      join
        .onRef('face_embedding.account_id', '=', 'face_image.account_id')
        .onRef('face_embedding.image_id', '=', 'face_image.id'),
    )
    .select([
      'face_image.id',
      'face_image.person_id as personId',
      'person.key_id as keyId',
      'face_image.blob_id as blobId',
      'face_image.image_sha256 as sha256',
      'face_embedding.vector',
    ])
    .where('face_image.perception_id', '=', modelId)
    .orderBy('face_image.id', 'desc')
    .execute();
  const halves: string[] = [];
  const rows = await concurrently(found, 4, async ({ id, personId, keyId, blobId, sha256, vector }) => {
    if (vector?.byteLength !== vectorBytes) {
      halves.push(`face image ${id} has a vector of ${vector?.byteLength ?? 'no'} bytes`);
    }
    const image = await readImage(images, blobId);
    if (image === null) halves.push(`face image ${id} has no image`);
    else if (hashOf(image) !== sha256) halves.push(`face image ${id} has another image than was added`);
    return { id, personId, keyId, sha256, image };
  });
  const named = new Set(found.map(({ blobId }) => blobId));
  for await (const { id, writtenMs } of images.list()) {
    if (!named.has(id) && writtenMs < Date.now() - orphanAgeMs) {
      halves.push(`image ${id} has no face image and was not swept away`);
    }
  }
  const people = await query.selectFrom('person').select('id').where('perception_id', '=', modelId).execute();
  return {
    rows,
    people: new Set(people.map(({ id }) => id)),
    halves: [...halves, ...(await loneVectors(query))],
  };
}

export function hashOf(image: Buffer): string {
  return createHash('sha256').update(image).digest('hex');
}

async function readImage(images: Pick<BlobStore, 'read'>, blobId: string): Promise<Buffer | null> {
  const kept = await images.read(blobId);
  return kept === null ? null : Buffer.concat(await kept.stream.toArray());
}

async function loneVectors(query: Database['query']): Promise<string[]> {
  const rows = await query
    .selectFrom('face_embedding')
    .leftJoin('face_image', (join) =>
      join
        .onRef('face_embedding.account_id', '=', 'face_image.account_id')
        .onRef('face_embedding.image_id', '=', 'face_image.id'),
    )
    .select('face_embedding.image_id as imageId')
    .where('face_image.id', 'is', null)
    .execute();
  return rows.map(({ imageId }) => `the vector of face image ${imageId} is there without it`);
}
