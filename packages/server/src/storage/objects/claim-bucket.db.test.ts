import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createKey } from '../../accounts/keys.js';
import { dataFolder } from '../data-folder.js';
import { createTestDatabase, type TestDatabase } from '../fixtures/test-database.js';
import { openServiceStorage, type ServiceStorage } from '../open-storage.js';
import type { Bucket } from './bucket.js';
import { identityKey, writeBucketIdentity } from './bucket-identity.js';
import { requireBucket, requireOwnBucket } from './claim-bucket.js';

let dir: string;
let made: TestDatabase;
let storage: ServiceStorage;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lynceus-claim-'));
  made = await createTestDatabase(dir);
  storage = await openServiceStorage(dataFolder(dir), made);
});
afterEach(async () => {
  await storage.close();
  await made.drop();
  await rm(dir, { recursive: true });
});

/** A bucket of small objects, as far as it is asked for one. */
function bucketOf(shown: string, objects = new Map<string, Buffer>()): Bucket & { objects: typeof objects } {
  const unused = () => Promise.reject(new Error('not asked for'));
  return {
    shown,
    objects,
    async put(key, body) {
      if (body.kind === 'bytes') objects.set(key, Buffer.from(body.bytes));
    },
    async get(key) {
      const bytes = objects.get(key);
      return bytes ? { sizeBytes: bytes.length, sha256: null, stream: Readable.from([bytes]) } : null;
    },
    head: unused,
    getPart: unused,
    remove: unused,
    copy: unused,
    list: () => {
      throw new Error('not asked for');
    },
    state: () => true,
    close: () => undefined,
  };
}
const refused = (words: RegExp) => ({ code: 'mismatch', message: expect.stringMatching(words) });
/** What the database of an installation with an image in a folder has. */
async function nameImage(): Promise<void> {
  const { database } = storage;
  const { accountId, keyId } = await createKey(
    { database, clock: () => 0, trialCalls: 1, resultDays: 2 },
    { account: 'a', name: 'a', expiresAt: null },
  );
  await database.write([
    database.query.insertInto('analysis').values({
      ...{ fileid: 'a-file', account_id: accountId, key_id: keyId, operation: 'general', record: '{}' },
      ...{
        created_at: 1,
        expires_at: 2,
        summary: null,
        search_text: null,
        image_bytes: 3,
        image_kind: 'jpeg',
      },
    }),
  ]);
}

test('the bucket of a new installation is claimed once, by whichever service starts first, and known from then on', async () => {
  const bucket = bucketOf('s3://images/a');
  await Promise.all([requireBucket(storage.database, bucket), requireBucket(storage.database, bucket)]);
  const identity = JSON.parse(String(bucket.objects.get(identityKey)));
  expect(identity).toEqual({ installation: storage.pair.installation, bucket: expect.any(String) });
  await requireBucket(storage.database, bucket);
  expect(JSON.parse(String(bucket.objects.get(identityKey)))).toEqual(identity);
});

test('a service with folders, and one with another bucket, are refused with the address of the right one', async () => {
  const bucket = bucketOf('s3://images/a');
  await requireBucket(storage.database, bucket);
  await expect(requireBucket(storage.database, null)).rejects.toMatchObject(refused(/s3:\/\/images\/a/));
  const other = bucketOf('s3://images/b');
  await expect(requireBucket(storage.database, other)).rejects.toMatchObject(
    refused(/not the bucket of this/),
  );
  expect(other.objects.size).toBe(0);
});

test('a kill between database and bucket is repaired, and a whole copy under another name is accepted', async () => {
  const bucket = bucketOf('s3://images/a');
  await requireBucket(storage.database, bucket);
  const identity = bucket.objects.get(identityKey);
  bucket.objects.clear();
  await requireBucket(storage.database, bucket);
  expect(bucket.objects.get(identityKey)).toEqual(identity);
  await requireBucket(storage.database, bucketOf('s3://copies/a', new Map(bucket.objects)));
});

test('a bucket that was emptied is refused while the database names images in it', async () => {
  const bucket = bucketOf('s3://images/a');
  await requireBucket(storage.database, bucket);
  await nameImage();
  await requireBucket(storage.database, bucket);
  bucket.objects.clear();
  await expect(requireBucket(storage.database, bucket)).rejects.toMatchObject(
    refused(/emptied or created again/),
  );
  expect(bucket.objects.size).toBe(0);
});

test('the bucket of another installation is refused', async () => {
  const bucket = bucketOf('s3://images/a');
  const uid = '11111111-1111-4111-8111-111111111111';
  await writeBucketIdentity(bucket, { installation: uid, bucket: uid });
  await expect(requireBucket(storage.database, bucket)).rejects.toMatchObject(
    refused(/another installation/),
  );
});

test('an installation whose images are in folders does not lose sight of them', async () => {
  await nameImage();
  const bucket = bucketOf('s3://images/a');
  await expect(requireBucket(storage.database, bucket)).rejects.toMatchObject(
    refused(/1 files.*data folder/),
  );
  expect(bucket.objects.size).toBe(0);
  await requireBucket(storage.database, null);
});

test('a damaged identity is said, with what to do', async () => {
  const bucket = bucketOf('s3://images/a', new Map([[identityKey, Buffer.from('{')]]));
  await expect(requireBucket(storage.database, bucket)).rejects.toMatchObject({ code: 'damaged' });
});

test('a command beside a folder that was never registered is refused as such, and one beside that of others as theirs', async () => {
  const bucket = bucketOf('s3://mine');
  const fresh = dataFolder(join(dir, 'fresh'));
  await requireOwnBucket(fresh, bucket);
  await requireBucket(storage.database, bucket);
  await requireOwnBucket(storage.folder, bucket);
  await expect(requireOwnBucket(fresh, bucket)).rejects.toMatchObject(
    refused(/fresh was never registered.*s3:\/\/mine is of an installation.*LYNCEUS_DATA_DIR.*folders join/),
  );
  const installation = randomUUID();
  await writeBucketIdentity(bucket, { installation, bucket: installation });
  await expect(requireOwnBucket(storage.folder, bucket)).rejects.toMatchObject(
    refused(/another installation/),
  );
});
