import type { Readable } from 'node:stream';
import { Type } from 'typebox';
import { callerOf } from '../../http/api/caller.js';
import { exactly } from '../../http/api/fields.js';
import type { ApiScope } from '../../http/api/scope.js';
import { sendPart } from '../../http/api/send-part.js';
import { createRequestSignal } from '../../http/common/request-signal.js';
import type { StreamDeps } from './deps.js';
import { TrackParams } from './tracks.js';

const tags = ['streams'];

const fileOf = (mediaType: string, description: string) => ({
  200: {
    description,
    content: {
      [mediaType]: { schema: Type.Unsafe<Readable | Uint8Array>(Type.String({ format: 'binary' })) },
    },
  },
});

/** Snapshots and clips of tracks. */
export function addTrackFileRoutes(app: ApiScope, { streamStore, ...deps }: StreamDeps): void {
  const { tracks, trackFiles } = streamStore;

  app.get('/stream-tracks/:id/snapshot.jpg', {
    config: { right: 'read' },
    schema: {
      tags,
      operationId: 'readStreamSnapshot',
      summary: 'The best frame of an object, as it was or drawn',
      params: TrackParams,
      querystring: exactly({
        crop: Type.Optional(Type.Boolean({ description: 'true for the object alone' })),
        boxes: Type.Optional(Type.Boolean({ description: 'true to draw its box and class' })),
        max_side: Type.Optional(
          Type.Integer({
            minimum: 32,
            maximum: 8192,
            description: 'the longer side in pixels, from 32 to 8192; it is not enlarged',
          }),
        ),
      }),
      response: fileOf('image/jpeg', 'The snapshot'),
    },
    async handler(request, reply) {
      const { accountId } = callerOf(request);
      const track = await tracks.read(accountId, request.params.id);
      const { crop: isCropped = false, boxes: hasBox = false, max_side: maxSidePx } = request.query;
      if (!isCropped && !hasBox && maxSidePx === undefined) {
        const file = await trackFiles.snapshot(accountId, track);
        return sendPart(request, reply, { ...file, fileName: `${track.id}.jpg` });
      }
      const view = { isCropped, hasBox, maxSidePx };
      const jpeg = await trackFiles.drawSnapshot(accountId, track, view, createRequestSignal(reply, deps));
      return reply.type('image/jpeg').send(jpeg);
    },
  });

  app.get('/stream-tracks/:id/clip.mp4', {
    config: { right: 'read' },
    schema: {
      tags,
      operationId: 'readStreamClip',
      summary: 'The clip of an object, or the part that a Range asks for',
      params: TrackParams,
      response: fileOf('video/mp4', 'The clip'),
    },
    async handler(request, reply) {
      const { accountId } = callerOf(request);
      const track = await tracks.read(accountId, request.params.id);
      const file = await trackFiles.clip(accountId, track);
      return sendPart(request, reply, { ...file, fileName: `${track.id}.mp4` });
    },
  });
}
