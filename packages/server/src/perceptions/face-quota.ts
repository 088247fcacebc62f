import type { Settings } from '../config/settings.js';
import { ServiceError } from '../errors/service-error.js';
import type { Database } from '../storage/database.js';

/** 0: no limit. */
export type FaceLimits = Pick<Settings, 'accountMaxFaces' | 'accountMaxFaceBytes'>;

/** How many face images an account may keep. */
export interface FaceQuota {
  /** Throws `account_full` when so many more face images, of so many bytes together, are too many. */
  require(accountId: number, more: { readonly faces: number; readonly bytes: number }): Promise<void>;
}

/**
 * Counted from an index at each call, so that replicas and commands count alike. What is inserted at the same moment may go
 * above the limit by that much.
 */
export function createFaceQuota({
  database: { query },
  limits: { accountMaxFaces: maxFaces, accountMaxFaceBytes: maxBytes },
}: {
  readonly database: Pick<Database, 'query'>;
  readonly limits: FaceLimits;
}): FaceQuota {
  return {
    async require(accountId, more) {
      if (maxFaces === 0 && maxBytes === 0) return;
      const row = await query
        .selectFrom('face_image')
        .select(({ fn }) => [
          fn.countAll<number>().as('faces'),
          fn.sum<number | null>('picture_bytes').as('bytes'),
        ])
        .where('account_id', '=', accountId)
        .executeTakeFirst();
      if (maxFaces > 0 && Number(row?.faces ?? 0) + more.faces > maxFaces) {
        throw full(`an account has ${maxFaces} face images at most (accountMaxFaces)`);
      }
      if (maxBytes > 0 && Number(row?.bytes ?? 0) + more.bytes > maxBytes) {
        throw full(`the face images of an account have ${maxBytes} bytes at most (accountMaxFaceBytes)`);
      }
    },
  };
}

function full(message: string): ServiceError {
  return new ServiceError('account_full', `${message}: delete some first`);
}
