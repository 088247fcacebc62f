import { type PictureKind, pictureMediaType } from '@lynceus/engine';
import type { FastifyReply } from 'fastify';
import type { BlobStore } from '../storage/blobs/blob-store.js';

/** Answers with a stored picture as a file to keep, named by its id. */
export function sendPicture(
  reply: FastifyReply,
  { id, kind }: { readonly id: number | string; readonly kind: PictureKind },
  { sizeBytes, stream }: NonNullable<Awaited<ReturnType<BlobStore['read']>>>,
): FastifyReply {
  return reply
    .type(pictureMediaType(kind))
    .header('content-length', sizeBytes)
    .header('content-disposition', `attachment; filename="${id}.${kind}"`)
    .send(stream);
}
