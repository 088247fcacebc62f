import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { ServiceError } from '../../core/service-error.js';
import {
  type ImageLocation,
  nameOf,
  type ThumbnailRequest,
  thumbnailWidths,
} from '../../storage/thumbnails/thumbnails.js';
import { createRequestSignal } from '../common/request-signal.js';
import { callerOf } from './caller.js';
import type { ApiDeps } from './scope.js';

const Width = Type.Integer({
  enum: [...thumbnailWidths],
  description: `one of ${thumbnailWidths.join(', ')}: a JPEG that is neither wider nor higher, and no larger than the image; without it the image as it came`,
});
export const thumbnailQuery = { width: Type.Optional(Width) };
export const faceThumbnailQuery = {
  ...thumbnailQuery,
  crop: Type.Optional(
    Type.Literal('face', { description: 'face: a square around the face; width says how large' }),
  ),
};
type ThumbnailSize = Static<typeof Width>;

/**
 * For an hour a browser asks no more, and later only whether there is another. A path shows another account another image,
 * so that one must not be taken from the cache for the other.
 */
const cacheControl = 'private, max-age=3600';
const differsBy = 'Authorization, X-API-Key, Cookie';

type ThumbnailDeps = Pick<ApiDeps, 'thumbnails' | 'settings' | 'shutdownSignal'>;

/** Answers with a thumbnail, or that the one which the browser has is still right. */
export async function sendThumbnail(
  deps: ThumbnailDeps,
  request: Pick<FastifyRequest, 'headers' | 'caller'>,
  reply: FastifyReply,
  wanted: ThumbnailRequest,
  location: ImageLocation,
): Promise<FastifyReply> {
  const etag = `"${wanted.image.id}-${nameOf(wanted)}"`;
  reply.header('vary', differsBy);
  // That there is such an image, its row said.
  if (request.headers['if-none-match'] === etag) {
    return reply.header('cache-control', cacheControl).header('etag', etag).code(304).send();
  }
  const jpeg = await deps.thumbnails.make(wanted, location, {
    accountId: callerOf(request).accountId,
    signal: createRequestSignal(reply, deps),
  });
  return reply
    .header('cache-control', cacheControl)
    .header('etag', etag)
    .type('image/jpeg')
    .header('content-disposition', 'inline')
    .send(jpeg);
}

/** Throws `wrong_parameters` for a crop without a size. */
export function checkCrop(crop: unknown, width: ThumbnailSize | undefined): void {
  if (crop !== undefined && width === undefined) {
    throw new ServiceError('wrong_parameters', 'crop wants a width beside it, such as width=160');
  }
}
