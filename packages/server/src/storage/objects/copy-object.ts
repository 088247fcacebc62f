import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import type { ObjectHead } from './bucket.js';
import { type PutTarget, sha256Key } from './put-object.js';

/**
 * Beyond it an object is copied in parts: a store says nothing while it copies one, and must do so before its silence is too long.
 * S3 copies at most 5 GiB in one, and in at most 10,000 parts from 5 MiB on.
 */
export const copiedPartBytes = 256 * 1024 * 1024;

interface CopySource {
  /** In the bucket of the target. */
  readonly key: string;
  readonly head: ObjectHead;
}

/** Copies an object within its bucket, with the digest beside it. The store moves the bytes. */
export async function copyObject(
  { client, target, encryption, attempt }: PutTarget,
  { key, head: { sizeBytes, sha256 } }: CopySource,
  partBytes = copiedPartBytes,
): Promise<void> {
  const CopySource = `${target.Bucket}/${key.split('/').map(encodeURIComponent).join('/')}`;
  if (sizeBytes <= partBytes) {
    await attempt(() => client.send(new CopyObjectCommand({ ...target, ...encryption, CopySource })));
    return;
  }
  const metadata = sha256 === null ? {} : { Metadata: { [sha256Key]: sha256 } };
  const { UploadId } = await attempt(() =>
    client.send(new CreateMultipartUploadCommand({ ...target, ...encryption, ...metadata })),
  );
  try {
    const Parts: { PartNumber: number; ETag: string | undefined }[] = [];
    for (let at = 0; at < sizeBytes; at += partBytes) {
      const PartNumber = Parts.length + 1;
      const CopySourceRange = `bytes=${at}-${Math.min(at + partBytes, sizeBytes) - 1}`;
      const part = { ...target, UploadId, PartNumber, CopySource, CopySourceRange };
      const { CopyPartResult } = await attempt(() => client.send(new UploadPartCopyCommand(part)));
      Parts.push({ PartNumber, ETag: CopyPartResult?.ETag });
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
