import { stat } from 'node:fs/promises';
import { sql } from 'kysely';
import type { DatabaseLocation } from '../../storage/identity/look-at-pair.js';
import { newestVersion } from '../../storage/identity/remember-version.js';
import { shippedSteps } from '../../storage/migrations/migrations.js';
import { compareVersions } from '../../storage/migrations/minimum-version.js';
import { type Finding, fine, formatBytes, notice, reasonOf, wrong } from './finding.js';
import { recentFailures } from './recent-failures.js';

/** The database, and what failed lately by its rows. It is only read. */
export async function examineDatabase(
  { isSqlite, shown, look }: DatabaseLocation,
  { nowMs, version }: { readonly nowMs: number; readonly version: string },
): Promise<readonly Finding[]> {
  try {
    return await look(async (query, applied) => {
      const name = isSqlite ? 'SQLite' : 'PostgreSQL';
      if (query === null || applied.size === 0) {
        return [notice('database', `${name}, ${shown}: there is none yet`, 'the first start makes it')];
      }
      const about = isSqlite
        ? formatBytes((await stat(shown)).size)
        : await query
            .selectNoFrom(sql<string>`current_setting('server_version')`.as('version'))
            .executeTakeFirstOrThrow()
            .then(({ version }) => `server ${version}`);
      const newest = await newestVersion(query, applied);
      const found = `${name}, ${shown}, ${about}${newest === null ? '' : `, used by version ${newest}`}`;
      const pending = Object.keys(shippedSteps).filter((step) => !applied.has(step));
      if (pending.length > 0) {
        const changes = pending.length === 1 ? 'one change' : `${pending.length} changes`;
        return [
          notice('database', `${found}; the next start makes ${changes} to its tables, after a backup`),
        ];
      }
      const state =
        newest !== null && compareVersions(newest, version) > 0
          ? notice(
              'database',
              found,
              `start version ${newest} or newer: this is ${version}, which may not read all that it wrote`,
            )
          : fine('database', found);
      return [state, ...(await recentFailures(query, nowMs))];
    });
  } catch (error) {
    return [wrong('database', reasonOf(error))];
  }
}
