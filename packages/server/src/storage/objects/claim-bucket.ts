import { randomUUID } from 'node:crypto';
import type { DataFolder } from '../data-folder.js';
import type { Database } from '../database.js';
import { countRows, fileStores } from '../identity/file-stores.js';
import { readFolderIdentity } from '../identity/folder-identity.js';
import { StorageError } from '../storage-error.js';
import type { Bucket } from './bucket.js';
import { type BucketIdentity, readBucketIdentity, writeBucketIdentity } from './bucket-identity.js';

/** Where the blobs of an installation are, as its database has it. */
interface Known {
  readonly installation: string;
  /** Null: in data folders. */
  readonly bucket: string | null;
  /** As the bucket was called when it was claimed. */
  readonly address: string | null;
}

/**
 * Throws where the blobs of the installation are elsewhere than this service looks for them: it would answer that images are
 * gone, and its sweeps would take others for orphans. A bucket that is nobody's yet becomes that of an installation without
 * blobs.
 * @param bucket null for folders
 */
export async function requireBucket(database: Database, bucket: Bucket | null): Promise<void> {
  const known = await readKnown(database);
  // Of a command before the first start of a service.
  if (known === null) return;
  if (bucket === null) {
    if (known.bucket === null) return;
    throw mismatch(
      `The images of this installation are in ${known.address ?? 'a bucket'}: set LYNCEUS_BLOBS to it, as its other services have it`,
    );
  }
  const identity = await readBucketIdentity(bucket);
  if (identity && identity.installation !== known.installation) {
    throw mismatch(
      `${bucket.shown} belongs to another installation: correct LYNCEUS_BLOBS or LYNCEUS_DATABASE_URL`,
    );
  }
  // Also under another name: as a whole copy, or by another endpoint.
  if (identity && identity.bucket === known.bucket) return;
  const rows = await countBlobRows(database);
  if (known.bucket !== null) return finishClaim(bucket, known.bucket, known, identity, rows);
  if (rows > 0) {
    throw mismatch(
      identity
        ? `${bucket.shown} is not known to the database, which names ${rows} files: the database is an older copy, or the files were not all moved; bring back the database that belongs to the bucket`
        : `The database names ${rows} files, which are in the data folder and not in ${bucket.shown}: move them with "lynceus blobs copy" and "lynceus blobs switch", or leave LYNCEUS_BLOBS unset`,
    );
  }
  await claimBucket(database, bucket, identity?.bucket ?? randomUUID());
}

/**
 * The database says so first: of several services that start at once one decides, and the others write what it decided, or
 * are refused where they have another bucket.
 */
async function claimBucket(database: Database, bucket: Bucket, uid: string): Promise<void> {
  const claim = { bucket_uid: uid, bucket_address: bucket.shown };
  await database.write([
    database.query.updateTable('installation').set(claim).where('bucket_uid', 'is', null),
  ]);
  const known = await requireKnown(database);
  await finishClaim(bucket, known.bucket ?? uid, known, null, 0);
}

/** A service died between the database and the bucket, or another was faster; or this is another bucket. */
async function finishClaim(
  bucket: Bucket,
  uid: string,
  { installation, address }: Known,
  found: BucketIdentity | null,
  rows: number,
): Promise<void> {
  if (found === null && address === bucket.shown) {
    if (rows === 0) return writeBucketIdentity(bucket, { installation, bucket: uid });
    throw mismatch(
      `${bucket.shown} has no installation.json, and the database names ${rows} files in it: it was emptied or created again; bring its objects back`,
    );
  }
  throw mismatch(
    `${bucket.shown} is not the bucket of this installation, whose images are in ${address ?? 'another'}: correct LYNCEUS_BLOBS`,
  );
}

/** Throws for the bucket of another installation than that of a data folder; for commands that need no database. */
export async function requireOwnBucket(
  folder: Pick<DataFolder, 'dir' | 'identityPath'>,
  bucket: Bucket,
): Promise<void> {
  const [own, identity] = [await readFolderIdentity(folder), await readBucketIdentity(bucket)];
  if (identity === null || identity.installation === own?.installation) return;
  if (own === null) {
    throw mismatch(
      `The data folder ${folder.dir} was never registered: it has no id, so no service has started on it, and ${bucket.shown} is of an installation. Set LYNCEUS_DATA_DIR to the folder of one of its services, or join this one with "lynceus folders join"`,
    );
  }
  throw mismatch(
    `${bucket.shown} belongs to another installation than the data folder: correct LYNCEUS_BLOBS or LYNCEUS_DATA_DIR`,
  );
}

/**
 * Makes a bucket that has all blobs that of the installation, from the next start of its services on. The bucket first: after
 * a kill between the two the folders are in use still.
 */
export async function switchToBucket(database: Database, bucket: Bucket): Promise<void> {
  const { installation } = await requireKnown(database);
  const identity = await readBucketIdentity(bucket);
  if (identity && identity.installation !== installation)
    throw mismatch(`${bucket.shown} belongs to another installation: correct LYNCEUS_BLOBS`);
  const uid = identity?.bucket ?? randomUUID();
  await writeBucketIdentity(bucket, { installation, bucket: uid });
  await setBucket(database, { bucket_uid: uid, bucket_address: bucket.shown });
}

/** Makes the data folder that has all blobs that of the installation. */
export async function switchToFolder(database: Database): Promise<void> {
  await setBucket(database, { bucket_uid: null, bucket_address: null });
}

async function setBucket(
  database: Database,
  place: { readonly bucket_uid: string | null; readonly bucket_address: string | null },
): Promise<void> {
  await database.write([database.query.updateTable('installation').set(place)]);
}

/** Null while no service has started yet. */
async function readKnown({ query }: Pick<Database, 'query'>): Promise<Known | null> {
  const known = await query
    .selectFrom('installation')
    .select(['uid as installation', 'bucket_uid as bucket', 'bucket_address as address'])
    .executeTakeFirst();
  return known ?? null;
}

async function requireKnown(database: Pick<Database, 'query'>): Promise<Known> {
  const known = await readKnown(database);
  if (known === null) throw mismatch('The database is of no installation yet: start the service once');
  return known;
}

const blobStores: ReadonlySet<string> = new Set([
  'faces',
  'datasets',
  'analysed images',
  'custom models',
  'drops',
  'media',
]);

/** Rows that name a file of the stores that a bucket takes. */
async function countBlobRows({ query }: Pick<Database, 'query'>): Promise<number> {
  const dirs = {
    facesDir: '',
    datasetsDir: '',
    imagesDir: '',
    customModelsDir: '',
    dropsDir: '',
    mediaDir: '',
  };
  const stores = fileStores(dirs);
  let rows = 0;
  for (const store of stores) if (blobStores.has(store.store)) rows += await countRows(query, store);
  return rows;
}

function mismatch(message: string): StorageError {
  return new StorageError('mismatch', `${message}.`);
}
