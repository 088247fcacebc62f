import type { Readable } from 'node:stream';
import { Type } from 'typebox';
import { callerOf } from '../../../http/api/caller.js';
import type { ApiScope } from '../../../http/api/scope.js';
import { sendPart } from '../../../http/api/send-part.js';
import { videoMediaTypes } from '../identify-video.js';
import type { VideoDeps } from './deps.js';
import { ThumbnailParams, VideoParams } from './fields.js';

const tags = ['videos'];
const Binary = { schema: Type.Unsafe<Readable>(Type.String({ format: 'binary' })) };
const videoContent = Object.fromEntries(Object.values(videoMediaTypes).map((type) => [type, Binary]));

/** Files of a video: its own, and images of what was found in it. */
export function addVideoFileRoutes(app: ApiScope, { videoStore }: VideoDeps): void {
  app.get('/videos/:id/file', {
    config: { right: 'read' },
    schema: {
      tags,
      operationId: 'readVideoFile',
      summary: 'The file as it came; a player may ask for a range of its bytes',
      params: VideoParams,
      response: {
        200: { description: 'The file', content: videoContent },
        206: { description: 'The part of it that Range asks for', content: videoContent },
      },
    },
    async handler(request, reply) {
      const { id } = request.params;
      const file = await videoStore.readFile(callerOf(request).accountId, id);
      return sendPart(request, reply, { ...file, fileName: `video-${id}.${extensionOf(file.mediaType)}` });
    },
  });

  app.get('/videos/:id/thumbnails/:blob', {
    config: { right: 'read' },
    schema: {
      tags,
      operationId: 'readVideoThumbnail',
      summary: 'The image of a track, as its timeline names it',
      params: ThumbnailParams,
      response: { 200: { description: 'The image', content: { 'image/jpeg': Binary } } },
    },
    async handler(request, reply) {
      const { id, blob } = request.params;
      const { accountId } = callerOf(request);
      const { sizeBytes, stream } = await videoStore.readThumbnail(accountId, id, blob);
      return reply
        .type('image/jpeg')
        .header('content-length', sizeBytes)
        .header('content-disposition', `attachment; filename="${blob}.jpg"`)
        .send(stream);
    },
  });
}

function extensionOf(mediaType: string): string {
  const found = Object.entries(videoMediaTypes).find(([, type]) => type === mediaType);
  return found?.[0] ?? 'bin';
}
