import type { Readable } from 'node:stream';
import { Type } from 'typebox';
import { exactly, FileId } from './fields.js';
import { type ApiDeps, type ApiScope, callerOf } from './scope.js';
import { sendPicture } from './send-picture.js';

/** The picture of an analysis, where pictures are kept. */
export function addFilePictureRoute(app: ApiScope, { analyses }: Pick<ApiDeps, 'analyses'>): void {
  app.get(
    '/files/:fileid/picture',
    {
      schema: {
        tags: ['files'],
        operationId: 'readFilePicture',
        summary: 'The picture of an analysis as it came; where the setting keepPictures is on',
        params: Type.Object({ fileid: FileId }),
        querystring: exactly({}),
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
      const { kind, picture } = await analyses.readPicture(callerOf(request).accountId, fileid);
      return sendPicture(reply, { id: fileid, kind }, picture);
    },
  );
}
