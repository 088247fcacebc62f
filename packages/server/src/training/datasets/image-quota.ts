import { ServiceError } from '../../core/service-error.js';
import type { Settings } from '../../core/settings.js';
import type { Database } from '../../storage/database.js';
import type { DiskGuard } from '../../storage/disk-guard.js';

export type ImageLimits = Pick<Settings, 'accountMaxDatasetImages' | 'accountMaxDatasetImageBytes'>;

export interface QuotaRefusal {
  readonly problem: 'account-full' | 'no-space';
  readonly message: string;
}

export interface ImageQuotaDeps {
  readonly database: Pick<Database, 'query'>;
  readonly disk: Pick<DiskGuard, 'require'>;
  readonly limits: ImageLimits;
}

/** Images after which it is counted again what others added meanwhile: counting reads a row an image. */
const countEvery = 100;

/** What an account may still add to its datasets. */
export function openImageQuota({ database: { query }, disk, limits }: ImageQuotaDeps, accountId: number) {
  const { accountMaxDatasetImages: maxImages, accountMaxDatasetImageBytes: maxBytes } = limits;
  const has = { images: 0, bytes: 0 };
  let sinceCount = countEvery;

  const count = async () => {
    const row = await query
      .selectFrom('dataset_image')
      .select(({ fn }) => [
        fn.countAll<number>().as('images'),
        fn.sum<number | null>('image_bytes').as('bytes'),
      ])
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    Object.assign(has, { images: Number(row?.images ?? 0), bytes: Number(row?.bytes ?? 0) });
    sinceCount = 0;
  };

  return {
    /** Null: one image more has room. */
    async refusal(): Promise<QuotaRefusal | null> {
      if (sinceCount >= countEvery && (maxImages > 0 || maxBytes > 0)) await count();
      if (maxImages > 0 && has.images >= maxImages) {
        return full(`an account has ${maxImages} images at most in all its datasets`);
      }
      if (maxBytes > 0 && has.bytes >= maxBytes) {
        return full(`the images of an account have ${maxBytes} bytes at most`);
      }
      try {
        await disk.require();
        return null;
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        return { problem: 'no-space', message: error.message };
      }
    },
    /** Counts one that was added. */
    take(bytes: number) {
      has.images += 1;
      has.bytes += bytes;
      sinceCount += 1;
    },
  };
}

function full(message: string): QuotaRefusal {
  return { problem: 'account-full', message: `${message}: delete some first` };
}
