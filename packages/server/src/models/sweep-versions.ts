import { sweepOrphanBlobs } from '../storage/blobs/sweep-orphans.js';
import type { Database } from '../storage/database.js';
import type { VersionFiles } from './version-files.js';

/** Deletes folders that no version names; answers how many. */
export function sweepOrphanVersions(
  { query }: Pick<Database, 'query'>,
  files: Pick<VersionFiles, 'list' | 'remove'>,
  nowMs: number,
): Promise<number> {
  const namesOf = async (ids: readonly string[]) => {
    const rows = await query.selectFrom('model_version').select('uid').where('uid', 'in', ids).execute();
    return rows.map(({ uid }) => uid);
  };
  return sweepOrphanBlobs(files, namesOf, nowMs);
}
