import { stat } from 'node:fs/promises';
import { sql } from 'kysely';
import type { DatabaseLocation } from '../storage/identity/look-at-pair.js';
import { shippedSteps } from '../storage/migrations/migrations.js';
import { type Finding, fine, formatBytes, notice, reasonOf, wrong } from './finding.js';
import { recentFailures } from './recent-failures.js';

/** The database, and what failed lately by its rows. It is only read. */
export async function examineDatabase(
  { isSqlite, shown, look }: DatabaseLocation,
  nowMs: number,
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
      const found = `${name}, ${shown}, ${about}`;
      const pending = Object.keys(shippedSteps).filter((step) => !applied.has(step));
      if (pending.length > 0) {
        const changes = pending.length === 1 ? 'one change' : `${pending.length} changes`;
        return [
          notice('database', `${found}; the next start makes ${changes} to its tables, after a backup`),
        ];
      }
      return [fine('database', found), ...(await recentFailures(query, nowMs))];
    });
  } catch (error) {
    return [wrong('database', reasonOf(error))];
  }
}
