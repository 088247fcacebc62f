import type { Kysely } from 'kysely';
import { setMinimumVersion } from './minimum-version.js';

/** Calls that were ended while they ran, and what they took. */
export async function addFailedCalls(db: Kysely<unknown>): Promise<void> {
  for (const column of ['failed', 'failed_cpu_ms']) {
    await db.schema
      .alterTable('usage')
      .addColumn(column, 'bigint', (definition) => definition.notNull().defaultTo(0))
      .execute();
  }
  await setMinimumVersion(db, '0.1.0');
}
