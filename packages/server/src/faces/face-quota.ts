import { ServiceError } from '../core/service-error.js';
import type { Settings } from '../core/settings.js';
import type { Database } from '../storage/database.js';
import type { DiskGuard } from '../storage/disk-guard.js';

/** 0: no limit. */
export type FaceLimits = Pick<Settings, 'accountMaxFaces' | 'accountMaxFaceBytes'>;

export interface MoreFaces {
  readonly people?: number;
  readonly images?: number;
  /** Of the images. */
  readonly bytes?: number;
  readonly corrections?: number;
}

/** What an account may still add to its perceptions. */
export type FaceQuota = ReturnType<typeof createFaceQuota>;

/** What a person or a correction is on disk with its indexes, at most. */
const rowBytes = 8192;

/**
 * Reads totals that the database keeps, so that replicas and commands count alike. What is inserted at the same moment may go
 * above the limit by that much.
 */
export function createFaceQuota({
  database: { query },
  disk,
  limits: { accountMaxFaces: maxFaces, accountMaxFaceBytes: maxBytes },
}: {
  readonly database: Pick<Database, 'query'>;
  readonly disk: Pick<DiskGuard, 'require'>;
  readonly limits: FaceLimits;
}) {
  return {
    /** Throws `account_full` when so many more are too many, `no_space` when they would take of the disk's reserve. */
    async require(accountId: number, { people = 0, images = 0, bytes = 0, corrections = 0 }: MoreFaces) {
      await disk.require(bytes + (people + images + corrections) * rowBytes);
      if (maxFaces === 0 && maxBytes === 0) return;
      const total = await query
        .selectFrom('face_total')
        .selectAll()
        .where('account_id', '=', accountId)
        .executeTakeFirst();
      const more = { people, images, corrections };
      for (const [kind, words] of kinds) {
        if (maxFaces === 0 || more[kind] === 0 || (total?.[kind] ?? 0) + more[kind] <= maxFaces) continue;
        throw full(`an account has ${maxFaces} ${words} at most (accountMaxFaces)`);
      }
      if (maxBytes > 0 && bytes > 0 && (total?.image_bytes ?? 0) + bytes > maxBytes) {
        throw full(`the face images of an account have ${maxBytes} bytes at most (accountMaxFaceBytes)`);
      }
    },
  };
}

const kinds = [
  ['people', 'persons'],
  ['images', 'face images'],
  ['corrections', 'corrections'],
] as const;

function full(message: string): ServiceError {
  return new ServiceError('account_full', `${message}: delete some first`);
}
