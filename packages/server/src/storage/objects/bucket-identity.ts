import { text } from 'node:stream/consumers';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { StorageError } from '../storage-error.js';
import type { Bucket } from './bucket.js';
import { bodyOf } from './digests.js';

export const identityKey = 'installation.json';

const uid = Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' });
const BucketIdentity = Type.Object({
  installation: uid,
  /** Of the bucket among those that the installation has had. */
  bucket: uid,
});

/** What a bucket knows of itself. */
export type BucketIdentity = Static<typeof BucketIdentity>;

/** Null where the bucket is nobody's yet. */
export async function readBucketIdentity(bucket: Bucket): Promise<BucketIdentity | null> {
  const found = await bucket.get(identityKey);
  if (found === null) return null;
  try {
    return Value.Parse(BucketIdentity, JSON.parse(await text(found.stream)));
  } catch (error) {
    throw new StorageError(
      'damaged',
      `${bucket.shown}/${identityKey} is damaged: bring back an older version of this object.`,
      { cause: error },
    );
  }
}

export async function writeBucketIdentity(bucket: Bucket, identity: BucketIdentity): Promise<void> {
  await bucket.put(identityKey, bodyOf(`${JSON.stringify(identity)}\n`));
}
