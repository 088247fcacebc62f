import type { Readable } from 'node:stream';
import { Type } from 'typebox';
import { callerOf } from '../../http/api/caller.js';
import { exactly } from '../../http/api/fields.js';
import { PageOf, pageRequest, paging, toPageAnswer } from '../../http/api/paging.js';
import type { ApiScope } from '../../http/api/scope.js';
import { sendThumbnail, thumbnailQuery } from '../../http/api/send-thumbnail.js';
import { waitingStates } from '../files/file-records.js';
import type { DropRef } from '../files/file-rows.js';
import type { DropDeps } from './deps.js';
import { DropFileId, DropParams, FileParams } from './fields.js';
import { DropFile, DropFileDetails, fileStates, toDetails, toDropFile } from './file.js';

const FileList = PageOf(DropFile, 'A page of files');
const Position = Type.Object({ createdAt: Type.Integer(), id: DropFileId });
const states = ['waiting', ...fileStates] as const;
const State = Type.Enum([...states], {
  description: `waiting (arrived, predicted or written) or one of ${fileStates.join(', ')}`,
});
const tags = ['drops'];

/** The files of drops, and what became of them. */
export function addDropFileRoutes(app: ApiScope, { dropStore, ...deps }: DropDeps): void {
  const { drops, files } = dropStore;

  const dropOf = async (accountId: number, id: number): Promise<DropRef> => {
    const drop = await drops.read(accountId, id);
    return { accountId, dropId: drop.id };
  };
  const details = async (drop: DropRef, id: string) => {
    const { file, row } = await files.read(drop, id);
    return toDetails(file, row, await files.history(id));
  };

  app.get('/drops/:id/files', {
    config: { right: 'read' },
    schema: {
      tags,
      operationId: 'listDropFiles',
      summary: 'Files of a drop, the newest first',
      params: DropParams,
      querystring: exactly({
        ...paging,
        state: Type.Optional(State),
        search: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 200,
            pattern: '^[^\\u0000]*$',
            description: 'a part of a file name',
          }),
        ),
      }),
      response: { 200: FileList },
    },
    async handler(request) {
      const drop = await dropOf(callerOf(request).accountId, request.params.id);
      const { state, search } = request.query;
      const page = await files.list(
        drop,
        { states: state === 'waiting' ? waitingStates : state && [state], search },
        pageRequest(Position, request.query),
      );
      return toPageAnswer(page, toDropFile);
    },
  });

  app.get('/drops/:id/files/:file_id', {
    config: { right: 'read' },
    schema: {
      tags,
      operationId: 'readDropFile',
      summary: 'One file with what was found in it, its keywords, and what happened to it',
      params: FileParams,
      response: { 200: DropFileDetails },
    },
    handler: async (request) =>
      details(await dropOf(callerOf(request).accountId, request.params.id), request.params.file_id),
  });

  app.get('/drops/:id/files/:file_id/content', {
    config: { right: 'read' },
    schema: {
      tags,
      operationId: 'readDropFileContent',
      summary: 'The file: with its keywords once it is done, as it came before; or its image, small',
      params: FileParams,
      querystring: exactly(thumbnailQuery),
      response: {
        200: {
          description: 'The file',
          content: { 'image/*': { schema: Type.Unsafe<Readable>(Type.String({ format: 'binary' })) } },
        },
      },
    },
    async handler(request, reply) {
      const drop = await dropOf(callerOf(request).accountId, request.params.id);
      const { file, row } = await files.read(drop, request.params.file_id);
      const { width } = request.query;
      if (width !== undefined) {
        const { location, ...image } = dropStore.imageOf(row);
        return sendThumbnail(deps, request, reply, { ...image, widthPx: width }, location);
      }
      const { mediaType, sizeBytes, stream } = await files.open(row);
      return reply
        .type(mediaType)
        .header('content-length', sizeBytes)
        .header('content-disposition', `attachment; filename*=UTF-8''${toHeaderText(file.name)}`)
        .send(stream);
    },
  });

  app.post('/drops/:id/files/:file_id/retry', {
    config: { right: 'change', audit: ['drop_files.retry', 'drop_file'] },
    schema: {
      tags,
      operationId: 'retryDropFile',
      summary: 'Retries a failed file from the step that failed',
      params: FileParams,
      response: { 200: DropFileDetails },
    },
    async handler(request) {
      const drop = await dropOf(callerOf(request).accountId, request.params.id);
      await files.retry(drop, request.params.file_id);
      return details(drop, request.params.file_id);
    },
  });
}

/** As RFC 8187 spells it; what is half a character is none. */
function toHeaderText(name: string): string {
  return encodeURIComponent(name.replace(/\p{Cs}/gu, '_')).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
