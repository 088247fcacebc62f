import type { Readable } from 'node:stream';
import { Type } from 'typebox';
import { ServiceError } from '../../../core/service-error.js';
import { exactly } from '../fields.js';
import { type ApiDeps, type ApiScope, callerOf } from '../scope.js';
import { sendPart } from '../send-part.js';
import { TrackParams } from './tracks.js';

const tags = ['streams'];

/** Snapshots and clips of tracks. */
export function addTrackFileRoutes(app: ApiScope, { streamStore, media }: Pick<ApiDeps, 'streamStore' | 'media'>): void {
  const { tracks } = streamStore;

  app.get(
    '/stream-tracks/:id/clip.mp4',
    {
      schema: {
        tags,
        operationId: 'readStreamClip',
        summary: 'The clip of an object, or the part that a Range asks for',
        params: TrackParams,
        querystring: exactly({}),
        response: {
          200: {
            description: 'The clip',
            content: { 'video/mp4': { schema: Type.Unsafe<Readable>(Type.String({ format: 'binary' })) } },
          },
        },
      },
    },
    async (request, reply) => {
      const { accountId } = callerOf(request);
      const { id, clipId } = await tracks.read(accountId, request.params.id);
      const clip = clipId === null ? null : await media.describe(accountId, clipId);
      if (clip === null) throw new ServiceError('not_found', 'there is no clip of this object');
      return sendPart(request, reply, { ...clip, fileName: `${id}.mp4`, read: (part) => media.files.readPart(clip.id, part) });
    },
  );
}
