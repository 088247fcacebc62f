import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  type HeadObjectCommandOutput,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';
import type { WithKeyLock } from '../core/keyed-mutex.js';
import { DeliveryError } from './destination.js';
import { hashOf, type OutgoingFile } from './outgoing-file.js';
import { noFileSize, type RemoteFolder } from './remote-folder.js';
import { explainS3Failure, statusOf } from './s3-client.js';

interface S3FolderOptions {
  readonly client: S3Client;
  readonly bucket: string;
  /** The prefix of every key: empty, or with a slash at its end. */
  readonly prefix: string;
  /** The endpoint for display. */
  readonly address: string;
  readonly withKeyLock: WithKeyLock;
  readonly signal: AbortSignal;
}

/** Metadata of an object: the id of its delivery. */
const deliveryKey = 'lynceus-parcel';
/** Of a thousand names each. */
const maxPages = 10;

/** An object appears completely or not at all, so temporary names are not needed; its metadata has the delivery's id. */
export function createS3Folder({
  client,
  bucket,
  prefix,
  address,
  withKeyLock,
  signal,
}: S3FolderOptions): RemoteFolder {
  const target = (name: string) => ({ Bucket: bucket, Key: `${prefix}${name}` });
  const options = { abortSignal: signal };
  const attempt = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw explainS3Failure(error, what);
    }
  };
  const head = async (name: string): Promise<HeadObjectCommandOutput | null> => {
    try {
      return await client.send(new HeadObjectCommand(target(name)), options);
    } catch (error) {
      if (statusOf(error) === 404) return null;
      throw explainS3Failure(error, `looking for ${name}`);
    }
  };
  const findSize = async (name: string) => {
    const found = await head(name);
    return found === null ? null : (found.ContentLength ?? noFileSize);
  };
  const putObject = async (name: string, file: OutgoingFile, isConditional: boolean) => {
    const body = Readable.from(file.read(signal), { objectMode: false });
    const command = new PutObjectCommand({
      ...target(name),
      Body: body,
      ContentLength: file.sizeBytes,
      ContentType: file.mediaType,
      ChecksumSHA256: Buffer.from(file.sha256, 'hex').toString('base64'),
      Metadata: { [deliveryKey]: file.deliveryId },
      ...(isConditional ? { IfNoneMatch: '*' } : {}),
    });
    command.middlewareStack.add(
      (next) => (args) => {
        signContent(args, file.sha256);
        return next(args);
      },
      { step: 'build' },
    );
    let readingError: unknown = null;
    body.on('error', (error) => {
      readingError = error;
    });
    try {
      await client.send(command, options);
    } catch (error) {
      throw readingError instanceof DeliveryError ? readingError : error;
    } finally {
      body.destroy();
    }
  };

  /** `If-None-Match` makes check and write atomic; for stores without it, both run under a lock. */
  const putNew = (name: string, file: OutgoingFile) =>
    withKeyLock(`${address}/${prefix}${name}`, async (): Promise<'put' | 'taken'> => {
      if ((await head(name)) !== null) return 'taken';
      try {
        await putObject(name, file, true);
      } catch (error) {
        const status = statusOf(error);
        if (status === 412 || status === 409) return 'taken';
        if (status !== 501) throw error;
        await putObject(name, file, false);
      }
      return 'put';
    });

  return {
    findSize,
    remove: (name) =>
      attempt(
        `removing ${name}`,
        async () => void (await client.send(new DeleteObjectCommand(target(name)), options)),
      ),
    listNames: (beginning) =>
      attempt('listing the bucket', async () => {
        const names: string[] = [];
        let token: string | undefined;
        for (let page = 0; page < maxPages; page += 1) {
          const query = {
            Bucket: bucket,
            Prefix: `${prefix}${beginning}`,
            Delimiter: '/',
            ContinuationToken: token,
          };
          const found = await client.send(new ListObjectsV2Command(query), options);
          names.push(...(found.Contents ?? []).map(({ Key = '' }) => Key.slice(prefix.length)));
          token = found.NextContinuationToken;
          if (token === undefined) break;
        }
        return names;
      }),
    async isSame(name, file) {
      const owner = (await head(name))?.Metadata?.[deliveryKey];
      if (owner !== undefined) return owner === file.deliveryId;
      // The store does not keep metadata, or the file is of another origin.
      return await attempt(`reading ${name} back`, async () => {
        const { Body } = await client.send(new GetObjectCommand(target(name)), options);
        return Body instanceof Readable && (await hashOf(Body)) === file.sha256;
      });
    },
    async put(name, file, mayReplace) {
      const done = await attempt(`sending ${name}`, async () => {
        if (!mayReplace) return await putNew(name, file);
        await putObject(name, file, false);
        return 'put';
      });
      if (done === 'put' && (await findSize(name)) !== file.sizeBytes) {
        throw new DeliveryError('mismatch', `the size of ${name} in the store differs from what was sent`);
      }
      return done;
    },
    describeLocation: (name) => `${address}/${bucket}/${prefix}${name}`,
  };
}

/** Includes the content's hash, which is known, in the signature; the library would omit it for a stream. */
function signContent(args: object, sha256: string): void {
  const request: unknown = Reflect.get(args, 'request');
  const headers: unknown =
    typeof request === 'object' && request !== null ? Reflect.get(request, 'headers') : null;
  if (typeof headers === 'object' && headers !== null) Reflect.set(headers, 'x-amz-content-sha256', sha256);
}
