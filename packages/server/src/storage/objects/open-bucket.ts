import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  type PutObjectCommandInput,
} from '@aws-sdk/client-s3';
import { type BucketAddress, showBucketAddress } from '../../core/bucket-address.js';
import type { Bucket, ListedObject, ReadObject } from './bucket.js';
import { copyObject } from './copy-object.js';
import { explainObjectError, isPassing, statusOf } from './explain-object-error.js';
import { createObjectClient, type ObjectClientOptions } from './object-client.js';
import { type PutTarget, putObject, sha256Key } from './put-object.js';
import { readResumed } from './resumed-read.js';
import { type RetryLimits, usualRetries, withRetries } from './with-retries.js';

interface BucketOptions extends ObjectClientOptions {
  readonly address: BucketAddress;
  /** `AES256` or `aws:kms`; empty: as the bucket is set up. */
  readonly encryption: string;
  /** Of `aws:kms`; empty: that of the account. */
  readonly encryptionKeyId: string;
  readonly retries?: RetryLimits;
  /** Given by tests, from 5 MiB on. */
  readonly copiedPartBytes?: number;
}

/** Objects up to so long are in memory before anybody gets them. */
const memoryBytes = 4 * 1024 * 1024;

/** Opens a bucket of Amazon S3 or a compatible store. Nothing is asked of it until something is needed. */
export function openBucket(options: BucketOptions): Bucket {
  const { address, encryption, encryptionKeyId, retries = usualRetries } = options;
  const client = createObjectClient(options);
  const shown = showBucketAddress(address);
  const targetOf = (key: string) => ({ Bucket: address.bucket, Key: `${address.prefix}${key}` });
  let failure: string | null = null;

  const attempt = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    try {
      const done = await withRetries(work, isPassing, retries);
      failure = null;
      return done;
    } catch (error) {
      // What there is not is an answer like others.
      if (isMissing(error)) {
        failure = null;
        throw error;
      }
      const explained = explainObjectError(error, shown, what);
      failure = explained.message;
      throw explained;
    }
  };

  /** Throws where the bucket is gone, or what answers is no store. */
  const requireThere = async () => {
    await client.send(
      new ListObjectsV2Command({ Bucket: address.bucket, Prefix: address.prefix, MaxKeys: 1 }),
    );
  };

  /** @param lastByte of the bytes that are wanted; all that follow unless given */
  const getFrom = (key: string, offsetBytes: number, lastByte?: number) =>
    attempt(`reading ${key}`, async () => {
      const isWhole = offsetBytes === 0 && lastByte === undefined;
      const range = isWhole ? {} : { Range: `bytes=${offsetBytes}-${lastByte ?? ''}` };
      const {
        Body,
        Metadata,
        ContentLength = 0,
      } = await client.send(new GetObjectCommand({ ...targetOf(key), ...range }));
      if (!(Body instanceof Readable)) throw new TypeError('the library gave no stream');
      return { stream: Body, sizeBytes: ContentLength, sha256: Metadata?.[sha256Key] ?? null };
    });

  const resume = (
    { sizeBytes, sha256, stream }: ReadObject,
    readFrom: (offsetBytes: number) => Promise<ReadObject>,
  ): ReadObject => {
    const pieces = readResumed(stream, sizeBytes, async (at) => (await readFrom(at)).stream);
    const whole = Readable.from(pieces, { objectMode: false });
    // Also where nobody read any of it.
    whole.once('close', () => stream.destroy());
    return { sizeBytes, sha256, stream: whole };
  };

  /** Null for an object that there is not. */
  const read = async (readFrom: (offsetBytes: number) => Promise<ReadObject>): Promise<ReadObject | null> => {
    const found = await orNull(readFrom(0));
    if (found === null) return null;
    const { sizeBytes, sha256, stream } = found;
    // A connection is not kept for as long as a slow client takes its image: there are so many and no more.
    if (sizeBytes <= memoryBytes) {
      const small = await buffer(stream).catch(() => null);
      if (small?.length === sizeBytes)
        return { sizeBytes, sha256, stream: Readable.from([small], { objectMode: false }) };
      const again = await orNull(readFrom(0));
      return again === null ? null : resume(again, readFrom);
    }
    return resume(found, readFrom);
  };

  const putTargetOf = (key: string): PutTarget => ({
    client,
    target: targetOf(key),
    encryption: encryptionOf(encryption, encryptionKeyId),
    // The whole is given up by one limit; a part of many is repeated by its own.
    attempt: (work) => withRetries(work, isPassing, retries),
  });

  const head = (key: string) =>
    orNull(
      attempt(`looking for ${key}`, async () => {
        const {
          ContentLength = 0,
          Metadata,
          LastModified,
        } = await client.send(new HeadObjectCommand(targetOf(key))).catch(async (error: unknown) => {
          // Its answer has no words: that of a bucket which is gone is the same.
          if (statusOf(error) === 404) await requireThere();
          throw error;
        });
        return {
          sizeBytes: ContentLength,
          sha256: Metadata?.[sha256Key] ?? null,
          writtenMs: LastModified?.getTime() ?? 0,
        };
      }),
    );

  return {
    shown,
    head,

    put: (key, body) =>
      attempt(`writing ${key}`, () =>
        putObject(putTargetOf(key), body).catch((error: unknown) => {
          throw explainObjectError(error, shown, `writing ${key}`);
        }),
      ),

    get: (key) => read((offsetBytes) => getFrom(key, offsetBytes)),

    async getPart(key, { fromBytes, toBytes }) {
      const found = await read((offsetBytes) => getFrom(key, fromBytes + offsetBytes, toBytes - 1));
      return found?.stream ?? null;
    },

    remove: (key) =>
      attempt(`deleting ${key}`, async () => {
        await client.send(new DeleteObjectCommand(targetOf(key))).catch((error: unknown) => {
          if (!isMissing(error)) throw error;
        });
      }),

    async copy(from, to) {
      const found = await head(from);
      if (found === null) return false;
      const source = { key: targetOf(from).Key, head: found };
      const copied = await orNull(
        attempt(`copying ${from}`, async () => {
          await copyObject(putTargetOf(to), source, options.copiedPartBytes).catch((error: unknown) => {
            throw isMissing(error) ? error : explainObjectError(error, shown, `copying ${from}`);
          });
          return true;
        }),
      );
      return copied ?? false;
    },

    async *list(prefix): AsyncIterable<ListedObject> {
      const { Bucket, Key } = targetOf(prefix);
      for (let token: string | undefined; ; ) {
        const page = await attempt(`listing ${prefix}`, () =>
          client.send(new ListObjectsV2Command({ Bucket, Prefix: Key, ContinuationToken: token })),
        );
        for (const { Key: key = '', Size = 0, LastModified } of page.Contents ?? []) {
          const writtenMs = LastModified?.getTime() ?? Date.now();
          yield { key: key.slice(address.prefix.length), sizeBytes: Size, writtenMs };
        }
        token = page.NextContinuationToken;
        if (!page.IsTruncated || token === undefined) return;
      }
    },

    state: () => failure ?? true,
    close: () => client.destroy(),
  };
}

function encryptionOf(
  encryption: string,
  keyId: string,
): Pick<PutObjectCommandInput, 'ServerSideEncryption' | 'SSEKMSKeyId'> {
  if (encryption === 'AES256') return { ServerSideEncryption: 'AES256' };
  if (encryption !== 'aws:kms') return {};
  return { ServerSideEncryption: 'aws:kms', ...(keyId === '' ? {} : { SSEKMSKeyId: keyId }) };
}

/** Of an object, and not of its bucket; any other 404 came from something that is no store. */
function isMissing(error: unknown): boolean {
  return error instanceof Error && statusOf(error) === 404 && missingNames.has(error.name);
}

/** `NotFound` is the answer to HEAD. */
const missingNames: ReadonlySet<string> = new Set(['NoSuchKey', 'NotFound']);

async function orNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
