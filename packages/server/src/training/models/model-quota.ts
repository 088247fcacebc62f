import { LRUCache } from 'lru-cache';
import { forEachLimited } from '../../core/for-each-limited.js';
import { ServiceError } from '../../core/service-error.js';
import type { Settings } from '../../core/settings.js';
import type { Database } from '../../storage/database.js';
import type { DiskGuard } from '../../storage/disk-guard.js';
import { trainModelKind } from './job-kinds.js';
import type { VersionFiles } from './version-files.js';

/** What an account may still add to its models. */
export type ModelQuota = ReturnType<typeof createModelQuota>;

type TakeBytes = (bytes: number) => Promise<void>;

interface ModelQuotaDeps {
  readonly database: Pick<Database, 'query'>;
  readonly files: Pick<VersionFiles, 'bytes'>;
  readonly disk: Pick<DiskGuard, 'require'>;
  readonly limits: Pick<Settings, 'accountMaxVersions' | 'accountMaxModelBytes'>;
}

/** What an upload is kept as beside itself: the graph made of it. */
const copies = 2;
/** Bytes of an upload that pass between two looks at the disk. */
const lookEveryBytes = 16 * 1024 * 1024;
/** Versions whose bytes are asked for at once: a bucket takes its time for each. */
const lookedAtOnce = 16;
/** Versions whose bytes are remembered; the least recently used are forgotten. */
const maxRemembered = 20_000;

export function createModelQuota({ database: { query }, files, disk, limits }: ModelQuotaDeps) {
  const { accountMaxVersions: maxVersions, accountMaxModelBytes: maxBytes } = limits;

  // Files of a version never change.
  const bytesOf = new LRUCache<string, number>({ max: maxRemembered });
  const readBytes = async (uid: string): Promise<number> => {
    const remembered = bytesOf.get(uid);
    if (remembered !== undefined) return remembered;
    const bytes = await files.bytes(uid);
    // Those of a version that is only now being kept, or was lost, are read again.
    if (bytes > 0) bytesOf.set(uid, bytes);
    return bytes;
  };

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

  /** Throws where there is room for none; of the bytes that the account keeps by now, 0 where they are not limited. */
  const readKeptBytes = async (accountId: number): Promise<number> => {
    if (maxVersions === 0 && maxBytes === 0) return 0;
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
    let kept = 0;
    if (maxBytes > 0) {
      await forEachLimited(versions, lookedAtOnce, async ({ uid }) => {
        const bytes = await readBytes(uid);
        // After the wait, since `kept += await …` would add to what it was before.
        kept += bytes;
      });
    }
    return kept;
  };
  const requireBytes = (bytes: number): void => {
    if (maxBytes === 0 || bytes < maxBytes) return;
    throw new ServiceError(
      'account_full',
      `the files of the models of an account have ${maxBytes} bytes at most: delete versions first`,
    );
  };

  return {
    /**
     * Throws `account_full` or `no_space` when there is no room for one version more. Asked before the work: a version that was
     * made is kept, whatever was made meanwhile.
     */
    async requireVersion(accountId: number) {
      await disk.require();
      requireBytes(await readKeptBytes(accountId));
    },

    /**
     * The same before an upload, and while it comes: what it answers is asked for room for each piece, and throws likewise. A length
     * need not be declared, and may be wrong.
     * @param expectedBytes its size as declared, 0 where it is not
     */
    async openUpload(accountId: number, expectedBytes: number): Promise<TakeBytes> {
      await disk.require(copies * expectedBytes);
      const kept = await readKeptBytes(accountId);
      requireBytes(kept + copies * expectedBytes);
      let [taken, looked] = [0, Number.NEGATIVE_INFINITY];
      return async (bytes) => {
        taken += bytes;
        requireBytes(kept + copies * taken);
        if (taken - looked < lookEveryBytes) return;
        looked = taken;
        // What came before this piece is on the disk already.
        const written = taken - bytes;
        await disk.require(copies * Math.max(taken, expectedBytes) - written);
      };
    },
  };
}
