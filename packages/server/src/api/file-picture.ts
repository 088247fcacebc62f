import type { Readable } from 'node:stream';
import { Type } from 'typebox';
import { exactly, FileId } from './fields.js';
import { type ApiDeps, type ApiScope, callerOf } from './scope.js';
import { sendPicture } from './send-picture.js';
import { sendThumbnail, type ThumbnailDeps, thumbnailQuery } from './send-thumbnail.js';

/** The picture of an analysis, where pictures are kept. */
export function addFilePictureRoute(
  app: ApiScope,
  { analyses, ...deps }: ThumbnailDeps & Pick<ApiDeps, 'analyses'>,
): void {
  app.get(
    '/files/:fileid/picture',
    {
      schema: {
        tags: ['files'],
        operationId: 'readFilePicture',
        summary: 'The picture of an analysis as it came, or small; where the setting keepPictures is on',
        params: Type.Object({ fileid: FileId }),
        querystring: exactly(thumbnailQuery),
        response: {
          200: {
            description: 'The picture',
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
        const place = await analyses.placeOfPicture(accountId, fileid);
        const picture = { owner: 'analysis', id: fileid } as const;
        return sendThumbnail(deps, request, reply, { picture, widthPx: width }, place);
      }
      const { kind, picture } = await analyses.readPicture(accountId, fileid);
      return sendPicture(reply, { id: fileid, kind }, picture);
    },
  );
}
