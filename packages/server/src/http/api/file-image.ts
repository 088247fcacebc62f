import type { Readable } from 'node:stream';
import { Type } from 'typebox';
import { exactly, FileId } from './fields.js';
import { type ApiDeps, type ApiScope, callerOf } from './scope.js';
import { sendImage } from './send-image.js';
import { sendThumbnail, type ThumbnailDeps, thumbnailQuery } from './send-thumbnail.js';

/** The image of an analysis, where images are kept. */
export function addFileImageRoute(
  app: ApiScope,
  { analyses, ...deps }: ThumbnailDeps & Pick<ApiDeps, 'analyses'>,
): void {
  app.get(
    '/files/:fileid/content',
    {
      schema: {
        tags: ['files'],
        operationId: 'readFileContent',
        summary: 'The image of an analysis as it came, or small; where the setting keepImages is on',
        params: Type.Object({ fileid: FileId }),
        querystring: exactly(thumbnailQuery),
        response: {
          200: {
            description: 'The image',
            content: { 'image/*': { schema: Type.Unsafe<Readable>(Type.String({ format: 'binary' })) } },
          },
        },
      },
    },
    async (request, reply) => {
      const { fileid } = request.params;
      const { accountId } = callerOf(request);
      const { width } = request.query;
      if (width !== undefined) {
        const location = await analyses.locationOfImage(accountId, fileid);
        const image = { owner: 'analysis', id: fileid } as const;
        return sendThumbnail(deps, request, reply, { image, widthPx: width }, location);
      }
      const { kind, image } = await analyses.readImage(accountId, fileid);
      return sendImage(reply, { id: fileid, kind }, image);
    },
  );
}
