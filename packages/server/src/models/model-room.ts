import type { Settings } from '../config/settings.js';
import { ServiceError } from '../errors/service-error.js';
import type { Database } from '../storage/database.js';
import type { DiskRoom } from '../storage/disk-room.js';
import { trainModelKind } from './job-kinds.js';
import type { VersionFiles } from './version-files.js';

/** What an account may still add to its models. */
export interface ModelRoom {
  /**
   * Throws `account_full` or `no_space` when there is no room for one version more. Asked before the work: a version that was
   * made is kept, whatever was made meanwhile.
   * @param bytes what is known of its size
   */
  requireVersion(accountId: number, bytes?: number): Promise<void>;
}

export interface ModelRoomDeps {
  readonly database: Pick<Database, 'query'>;
  readonly files: Pick<VersionFiles, 'bytes'>;
  readonly disk: Pick<DiskRoom, 'require'>;
  readonly limits: Pick<Settings, 'accountMaxVersions' | 'accountMaxModelBytes'>;
}

/** What an upload is kept as beside itself: the graph made of it. */
const copies = 2;

export function createModelRoom({ database: { query }, files, disk, limits }: ModelRoomDeps): ModelRoom {
  const { accountMaxVersions: maxVersions, accountMaxModelBytes: maxBytes } = limits;

  const countUnfinishedRuns = async (accountId: number): Promise<number> => {
    const row = await query
      .selectFrom('job')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('account_id', '=', accountId)
      .where('kind', '=', trainModelKind)
      .where('ended_at', 'is', null)
      .executeTakeFirst();
    return Number(row?.count ?? 0);
  };

  return {
    async requireVersion(accountId, bytes = 0) {
      await disk.require(copies * bytes);
      if (maxVersions === 0 && maxBytes === 0) return;
      const versions = await query
        .selectFrom('model_version')
        .select('uid')
        .where('account_id', '=', accountId)
        .execute();
      if (maxVersions > 0 && versions.length + (await countUnfinishedRuns(accountId)) >= maxVersions) {
        throw new ServiceError(
          'account_full',
          `the models of an account have ${maxVersions} versions at most, those in training included: delete one first`,
        );
      }
      if (maxBytes === 0) return;
      let held = copies * bytes;
      for (const { uid } of versions) held += await files.bytes(uid);
      if (held < maxBytes) return;
      throw new ServiceError(
        'account_full',
        `the files of the models of an account have ${maxBytes} bytes at most: delete versions first`,
      );
    },
  };
}
