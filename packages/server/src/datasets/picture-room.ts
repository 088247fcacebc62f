import type { Settings } from '../config/settings.js';
import { ServiceError } from '../errors/service-error.js';
import type { Database } from '../storage/database.js';
import type { DiskRoom } from '../storage/disk-room.js';

export type PictureLimits = Pick<Settings, 'accountMaxPictures' | 'accountMaxPictureBytes'>;

export interface NoRoom {
  readonly problem: 'account-full' | 'no-space';
  readonly message: string;
}

/** What an account may still add to its datasets. */
export interface PictureRoom {
  /** Null: one picture more has room. */
  refusal(): Promise<NoRoom | null>;
  /** Counts one that was added. */
  take(bytes: number): void;
}

export interface PictureRoomDeps {
  readonly database: Pick<Database, 'query'>;
  readonly disk: Pick<DiskRoom, 'require'>;
  readonly limits: PictureLimits;
}

/** Pictures after which it is counted again what others added meanwhile: counting reads a row a picture. */
const countEvery = 100;

export function openPictureRoom(
  { database: { query }, disk, limits }: PictureRoomDeps,
  accountId: number,
): PictureRoom {
  const { accountMaxPictures: maxPictures, accountMaxPictureBytes: maxBytes } = limits;
  const has = { pictures: 0, bytes: 0 };
  let sinceCount = countEvery;

  const count = async () => {
    const row = await query
      .selectFrom('dataset_picture')
      .select(({ fn }) => [
        fn.countAll<number>().as('pictures'),
        fn.sum<number | null>('picture_bytes').as('bytes'),
      ])
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    Object.assign(has, { pictures: Number(row?.pictures ?? 0), bytes: Number(row?.bytes ?? 0) });
    sinceCount = 0;
  };

  return {
    async refusal() {
      if (sinceCount >= countEvery && (maxPictures > 0 || maxBytes > 0)) await count();
      if (maxPictures > 0 && has.pictures >= maxPictures) {
        return full(`an account has ${maxPictures} pictures at most in all its datasets`);
      }
      if (maxBytes > 0 && has.bytes >= maxBytes) {
        return full(`the pictures of an account have ${maxBytes} bytes at most`);
      }
      try {
        await disk.require();
        return null;
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        return { problem: 'no-space', message: error.message };
      }
    },
    take(bytes) {
      has.pictures += 1;
      has.bytes += bytes;
      sinceCount += 1;
    },
  };
}

function full(message: string): NoRoom {
  return { problem: 'account-full', message: `${message}: delete some first` };
}
