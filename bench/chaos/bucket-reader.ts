import { Readable } from 'node:stream';
import { GetObjectCommand, ListObjectsV2Command, NoSuchKey } from '@aws-sdk/client-s3';
import { clientOf } from '#server/storage/blobs/fixtures/object-client.js';
import type { ObjectServer } from '#server/storage/blobs/fixtures/object-server.js';
import type { StoreName } from '#server/storage/quarantine/store-names.js';
import type { FileReader } from '../kill/site.js';
import { bucketPrefix } from './installation.js';

/** Objects of one kind as they are in the bucket. */
export function readBucket(server: ObjectServer, store: StoreName): FileReader {
  const client = clientOf(server);
  const { bucket: Bucket } = server;
  const beginning = `${bucketPrefix}/${store}/`;
  return {
    async read(id) {
      try {
        const { Body, ContentLength } = await client.send(
          new GetObjectCommand({ Bucket, Key: `${beginning}${id}` }),
        );
        const bytes = (await Body?.transformToByteArray()) ?? new Uint8Array();
        return { sizeBytes: ContentLength ?? bytes.length, stream: Readable.from([Buffer.from(bytes)]) };
      } catch (error) {
        if (error instanceof NoSuchKey) return null;
        throw error;
      }
    },
    async *list() {
      let ContinuationToken: string | undefined;
      do {
        const page = await client.send(
          new ListObjectsV2Command({
            Bucket,
            Prefix: beginning,
            ...(ContinuationToken && { ContinuationToken }),
          }),
        );
        for (const { Key = '', LastModified, Size = 0 } of page.Contents ?? []) {
          const writtenMs = LastModified?.getTime() ?? 0;
          yield { id: Key.slice(beginning.length), writtenMs, sizeBytes: Size };
        }
        ContinuationToken = page.NextContinuationToken;
      } while (ContinuationToken !== undefined);
    },
    close: () => client.destroy(),
  };
}
