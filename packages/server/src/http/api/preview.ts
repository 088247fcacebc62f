import type { Buffer } from 'node:buffer';
import { Type } from 'typebox';
import { callerOf } from './caller.js';
import { exactly } from './fields.js';
import type { ApiDeps, ApiScope } from './scope.js';
import { ImageBody, ImageUrl, withImage } from './upload.js';

const usualMaxSidePx = 1280;
const header = (description: string) => ({ description, schema: Type.Integer() });

/** An image as any browser shows it. */
export function addPreviewRoute(app: ApiScope, deps: ApiDeps): void {
  app.post('/preview', {
    config: { right: 'read', audit: null },
    onRequest: (request) => deps.rateLimits.checkPreview(request),
    schema: {
      tags: ['files'],
      operationId: 'previewImage',
      summary: 'An image as every browser shows it: HEIC, TIFF and others, or one by its address',
      description:
        'A JPEG, upright, never larger than the image. Nothing is kept and no call counts; an account makes 240 a minute at most. Boxes of other answers are in pixels of the image, whose size is in the headers.',
      querystring: exactly({
        url: ImageUrl,
        max_side: Type.Optional(
          Type.Integer({
            minimum: 16,
            maximum: 4096,
            description: `a whole number from 16 to 4096: pixels of the longer side at most; ${usualMaxSidePx} unless given`,
          }),
        ),
      }),
      body: ImageBody,
      response: {
        200: {
          description: 'The preview',
          headers: {
            'X-Image-Width': header('of the image that was given, upright'),
            'X-Image-Height': header('likewise'),
          },
          content: { 'image/jpeg': { schema: Type.Unsafe<Buffer>(Type.String({ format: 'binary' })) } },
        },
      },
    },
    async handler(request, reply) {
      const { accountId } = callerOf(request);
      const { url, max_side: maxSidePx = usualMaxSidePx } = request.query;
      const { jpeg, width, height } = await withImage(deps, { request, reply, url }, (source, signal) =>
        deps.makePreview(source, maxSidePx, { accountId, signal }),
      );
      return reply
        .type('image/jpeg')
        .header('content-disposition', 'inline')
        .header('x-image-width', width)
        .header('x-image-height', height)
        .send(jpeg);
    },
  });
}
