import { randomUUID } from 'node:crypto';
import type { Database } from '../database.js';
import { countRows, fileStores } from '../identity/file-stores.js';
import { shippedSteps } from '../migrations/migrations.js';
import { StorageError } from '../storage-error.js';
import type { Bucket } from './bucket.js';
import { type BucketIdentity, readBucketIdentity, writeBucketIdentity } from './bucket-identity.js';

/** Where the blobs of an installation are, as its database has it. */
async function readKnown({ query }: Pick<Database, 'query'>) {
  return query
    .selectFrom('installation')
    .select(['uid', 'bucket_uid as bucketUid'])
    .executeTakeFirstOrThrow();
}

/**
 * Throws where the blobs of the installation are elsewhere than this service looks for them: it would answer that images are
 * gone, and its sweeps would take others for orphans. A bucket that is nobody's yet becomes that of an installation without
 * blobs.
 * @param bucket null for folders
 */
export async function requireBucket(database: Database, bucket: Bucket | null): Promise<void> {
  const { uid: installation, bucketUid } = await readKnown(database);
  if (bucket === null) {
    if (bucketUid === null) return;
    throw mismatch(
      'The images of this installation are in a bucket: set LYNCEUS_BLOBS to it, as its other services have it',
    );
  }
  const identity = await readBucketIdentity(bucket);
  if (identity && identity.installation !== installation) {
    throw mismatch(
      `${bucket.shown} belongs to another installation: correct LYNCEUS_BLOBS or LYNCEUS_DATABASE_URL`,
    );
  }
  if (identity && identity.bucket === bucketUid) return;
  const rows = await countBlobRows(database);
  if (bucketUid !== null) return returnBucket(bucket, { installation, bucket: bucketUid }, identity, rows);
  if (rows > 0) {
    throw mismatch(
      identity
        ? `${bucket.shown} is not known to the database, which names ${rows} images: it is an older copy, or "lynceus blobs copy" has not ended; run that again, or bring back the database that belongs to the bucket`
        : `The images of this installation, ${rows} in the database, are in the data folder: run "lynceus blobs copy" first, which moves them to ${bucket.shown}`,
    );
  }
  await writeBucketIdentity(bucket, await claimBucket(database, identity?.bucket ?? randomUUID()));
}

/** The database says so first: of several services that start at once one decides, and all write the same into the bucket. */
export async function claimBucket(database: Database, bucketUid: string): Promise<BucketIdentity> {
  await database.write([
    database.query.updateTable('installation').set({ bucket_uid: bucketUid }).where('bucket_uid', 'is', null),
  ]);
  const known = await readKnown(database);
  return { installation: known.uid, bucket: known.bucketUid ?? bucketUid };
}

/** A service died between the database and the bucket, or this is another bucket. */
async function returnBucket(
  bucket: Bucket,
  wanted: BucketIdentity,
  found: BucketIdentity | null,
  rows: number,
): Promise<void> {
  if (found === null && rows === 0) return writeBucketIdentity(bucket, wanted);
  throw mismatch(
    `${bucket.shown} is not the bucket with the images of this installation, ${rows} in the database: correct LYNCEUS_BLOBS`,
  );
}

/** Rows that name a blob of the stores that a bucket takes. */
async function countBlobRows({ query }: Pick<Database, 'query'>): Promise<number> {
  const dirs = { facesDir: '', datasetsDir: '', imagesDir: '', customModelsDir: '', dropsDir: '' };
  const stores = fileStores(dirs, new Set(Object.keys(shippedSteps)));
  let rows = 0;
  for (const store of stores) if (blobStores.has(store.store)) rows += await countRows(query, store);
  return rows;
}

const blobStores: ReadonlySet<string> = new Set(['faces', 'datasets', 'analysed images']);

function mismatch(message: string): StorageError {
  return new StorageError('mismatch', `${message}.`);
}
