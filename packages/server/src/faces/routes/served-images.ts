import { imageMediaType } from '@lynceus/engine';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { ServiceError } from '../../core/service-error.js';
import type { FaceDatabase } from '../face-database.js';

/** Stored face images by signed address: what `image_url` in an answer of v1 leads to. Needs no key. */
export function addFaceImageRoute(
  app: FastifyInstance,
  { links, images, imageFiles }: Pick<FaceDatabase, 'links' | 'images' | 'imageFiles'>,
): void {
  const gone = () => new ServiceError('not_found', 'there is no such image, or its address has expired');
  app.get<{ Params: { token: string } }>('/face-images/:token', async (request, reply) => {
    const link = links.verify(request.params.token);
    if (link === null) throw gone();
    const image = (await images.found(link.accountId, [link.imageId])).get(link.imageId);
    const content = image && (await imageFiles.read(image.blobId));
    if (!image || !content) throw gone();
    return reply
      .type(imageMediaType(image.imageKind))
      .header('content-length', content.sizeBytes)
      .header('cache-control', 'private, max-age=600')
      .send(content.stream);
  });
}

/** The same for the OpenAPI document. */
export const faceImageOperations = {
  '/face-images/{token}': {
    get: {
      tags: ['v1'],
      operationId: 'readFaceImage',
      summary: 'The image that an image_url leads to, for an hour',
      security: [],
      parameters: [
        { name: 'token', in: 'path' as const, required: true, schema: Type.String({ maxLength: 500 }) },
      ],
      responses: {
        200: {
          description: 'The image as it came',
          content: { 'image/*': { schema: Type.String({ format: 'binary' }) } },
        },
        404: { description: 'There is no such image, or its address has expired' },
      },
    },
  },
};
