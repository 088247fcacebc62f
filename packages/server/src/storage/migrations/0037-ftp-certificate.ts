import { type Kysely, sql } from 'kysely';
import { setMinimumVersion } from './minimum-version.js';

/** The certificate that FTP servers of services on one database share, with its key, sealed: one row or none. */
export async function createFtpCertificate(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('ftp_certificate')
    .addColumn('only', 'bigint', (column) => column.primaryKey().check(sql`"only" = 1`))
    .addColumn('sealed', 'text', (column) => column.notNull())
    .execute();
  await setMinimumVersion(db, '0.1.0');
}
