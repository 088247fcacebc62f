import type { Kysely } from 'kysely';
import { setMinimumVersion } from './minimum-version.js';

/**
 * What services on one database agree on: with which keys secrets are sealed while the key is replaced, and in which version a job
 * is written.
 */
export async function letReplicasAgree(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('installation_key').addColumn('previous_check', 'text').execute();
  await db.schema
    .alterTable('installation_key')
    .addColumn('is_resealing', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema.alterTable('installation_key').addColumn('retired_check', 'text').execute();
  await db.schema.alterTable('replica').addColumn('key_checks', 'text').execute();
  await db.schema
    .alterTable('job')
    .addColumn('payload_version', 'bigint', (column) => column.notNull().defaultTo(1))
    .execute();
  await setMinimumVersion(db, '0.1.0');
}
