import { type Static, Type } from 'typebox';
import { callerOf } from '../../http/api/caller.js';
import { exactly } from '../../http/api/fields.js';
import type { ApiScope } from '../../http/api/scope.js';
import type { FilesReceipt } from '../files/remove-files.js';
import type { DropDeps } from './deps.js';
import { DropParams, FileParams } from './fields.js';

const FileReceipt = Type.Object(
  { files: Type.Integer(), file_bytes: Type.Integer() },
  { title: 'DropFileReceipt', description: 'What was deleted, for good' },
);
const left = Type.Integer({ description: 'how many are left for another such request' });
const PurgeReceipt = Type.Object(
  { ...FileReceipt.properties, left },
  { title: 'DropPurgeReceipt', description: 'What was deleted, for good' },
);
export const Retried = Type.Object(
  { files: Type.Integer({ description: 'that are retried now' }), left },
  { title: 'DropRetried', description: 'How many are retried now' },
);
const tags = ['drops'];

/** Many files at once, and for good. */
export function addEndedFileRoutes(app: ApiScope, { dropStore }: DropDeps): void {
  const { drops, files } = dropStore;

  app.post('/drops/:id/retry', {
    config: { right: 'change', audit: ['drops.retry', 'drop'] },
    schema: {
      tags,
      operationId: 'retryDrop',
      summary: 'Retries all failed files of a drop, the oldest first, at most 2000 in one request',
      params: DropParams,
      response: { 200: Retried },
    },
    async handler(request) {
      const { accountId } = callerOf(request);
      const { id: dropId } = await drops.read(accountId, request.params.id);
      return files.retryFailed({ accountId, dropId });
    },
  });

  app.delete('/drops/:id/files/:file_id', {
    config: { right: 'change', audit: ['drop_files.delete', 'drop_file'] },
    schema: {
      tags,
      operationId: 'deleteDropFile',
      summary: 'Deletes a file; one that is being sent on just now may get there all the same',
      params: FileParams,
      response: { 200: FileReceipt },
    },
    async handler(request) {
      const { accountId } = callerOf(request);
      const { id: dropId } = await drops.read(accountId, request.params.id);
      return toReceipt(await files.remove({ accountId, dropId }, request.params.file_id));
    },
  });

  app.delete('/drops/:id/files', {
    config: { right: 'change', audit: ['drop_files.delete', 'drop'] },
    schema: {
      tags,
      operationId: 'purgeDropFiles',
      summary: 'Deletes all files of a drop that are done, or that failed, 3000 at most in one request',
      params: DropParams,
      querystring: exactly({
        state: Type.Enum(['done', 'failed'], { description: 'done or failed' }),
      }),
      response: { 200: PurgeReceipt },
    },
    async handler(request) {
      const { accountId } = callerOf(request);
      const { id: dropId } = await drops.read(accountId, request.params.id);
      const { left, ...receipt } = await files.purge({ accountId, dropId }, request.query.state);
      return { ...toReceipt(receipt), left };
    },
  });
}

function toReceipt({ files, bytes }: FilesReceipt): Static<typeof FileReceipt> {
  return { files, file_bytes: bytes };
}
