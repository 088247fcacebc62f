import { type ImageKind, imageMediaType } from '@lynceus/engine';
import type { FastifyReply } from 'fastify';
import type { BlobStore } from '../../storage/blobs/blob-store.js';

/** Answers with a stored image as a file to keep, named by its id. */
export function sendImage(
  reply: FastifyReply,
  { id, kind }: { readonly id: number | string; readonly kind: ImageKind },
  { sizeBytes, stream }: NonNullable<Awaited<ReturnType<BlobStore['read']>>>,
): FastifyReply {
  return reply
    .type(imageMediaType(kind))
    .header('content-length', sizeBytes)
    .header('content-disposition', `attachment; filename="${id}.${kind}"`)
    .send(stream);
}
