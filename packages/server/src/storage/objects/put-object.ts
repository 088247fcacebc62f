import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type PutObjectCommandInput,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { StorageError } from '../storage-error.js';
import type { ObjectBody } from './bucket.js';
import { md5OfRange } from './digests.js';

/** Beyond it an object goes up in parts: one that fails is sent again alone. S3 takes 5 GiB in one, and parts from 5 MiB on. */
export const partBytes = 64 * 1024 * 1024;

/** What is given to the connection at once. */
const pieceBytes = 64 * 1024;

/** Name in the metadata of an object, after `x-amz-meta-`. */
export const sha256Key = 'sha256';

export interface PutTarget {
  readonly client: S3Client;
  readonly target: { readonly Bucket: string; readonly Key: string };
  /** How the store encrypts, where that is asked for. */
  readonly encryption: Pick<PutObjectCommandInput, 'ServerSideEncryption' | 'SSEKMSKeyId'>;
  /** Repeats what may succeed shortly. */
  readonly attempt: <T>(work: () => Promise<T>) => Promise<T>;
}

/** Puts an object. The store compares each piece with its MD5 and refuses what does not match. */
export async function putObject(to: PutTarget, body: ObjectBody): Promise<void> {
  if (body.kind === 'file' && body.sizeBytes > partBytes) return putParts(to, body);
  const { client, target, encryption, attempt } = to;
  const put = (Body: Uint8Array | Readable, options: SendOptions = {}) =>
    client.send(
      new PutObjectCommand({
        ...target,
        ...encryption,
        Body,
        ContentLength: body.sizeBytes,
        ContentMD5: toBase64(body.md5),
        Metadata: { [sha256Key]: body.sha256 },
      }),
      options,
    );
  await attempt(async () => {
    // In pieces: of one large write it cannot be seen that the store takes it.
    if (body.kind === 'bytes') await put(Readable.from(piecesOf(body.bytes), { objectMode: false }));
    else await sendFile(body.path, {}, put);
  });
}

function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

interface SendOptions {
  readonly abortSignal?: AbortSignal;
}

/** The library listens to no error of what it sends: one that nobody hears would end the service. */
async function sendFile<T>(
  path: string,
  range: { readonly start?: number; readonly end?: number },
  send: (body: Readable, options: SendOptions) => Promise<T>,
): Promise<T> {
  const source = createReadStream(path, range);
  const stop = new AbortController();
  let failure: StorageError | undefined;
  source.on('error', (error) => {
    failure = new StorageError('access', `${path} cannot be read (${error.message}).`, { cause: error });
    stop.abort(failure);
  });
  try {
    return await send(source, { abortSignal: stop.signal });
  } catch (error) {
    throw failure ?? error;
  } finally {
    source.destroy();
  }
}

async function putParts(to: PutTarget, body: ObjectBody & { readonly kind: 'file' }): Promise<void> {
  const { client, target, encryption, attempt } = to;
  const { UploadId } = await attempt(() =>
    client.send(
      new CreateMultipartUploadCommand({ ...target, ...encryption, Metadata: { [sha256Key]: body.sha256 } }),
    ),
  );
  try {
    const Parts: { PartNumber: number; ETag: string | undefined }[] = [];
    for (let at = 0; at < body.sizeBytes; at += partBytes) {
      const PartNumber = Parts.length + 1;
      const bytes = Math.min(partBytes, body.sizeBytes - at);
      const range = { start: at, end: at + bytes - 1 };
      const md5 = await md5OfRange(body.path, range);
      const { ETag } = await attempt(() =>
        sendFile(body.path, range, (Body, options) => {
          const sent = { ...target, UploadId, PartNumber, Body, ContentLength: bytes };
          return client.send(new UploadPartCommand({ ...sent, ContentMD5: toBase64(md5) }), options);
        }),
      );
      Parts.push({ PartNumber, ETag });
    }
    await attempt(() =>
      client.send(new CompleteMultipartUploadCommand({ ...target, UploadId, MultipartUpload: { Parts } })),
    );
  } catch (error) {
    // Parts that are not put together cost room until a rule of the bucket clears them.
    await client.send(new AbortMultipartUploadCommand({ ...target, UploadId })).catch(() => undefined);
    throw error;
  }
}

function toBase64(hex: string): string {
  return Buffer.from(hex, 'hex').toString('base64');
}
