import { type Kysely, sql } from 'kysely';
import { setMinimumVersion } from './minimum-version.js';

/** The host keys that SFTP servers of services on one database share, sealed: one row or none. */
export async function createSftpHostKey(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sftp_host_key')
    .addColumn('only', 'bigint', (column) => column.primaryKey().check(sql`"only" = 1`))
    .addColumn('sealed', 'text', (column) => column.notNull())
    .execute();
  await setMinimumVersion(db, '0.1.0');
}
