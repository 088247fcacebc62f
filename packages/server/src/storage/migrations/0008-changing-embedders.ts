import { type Kysely, sql } from 'kysely';

/** What changing the embedder of a perception must remember. */
export async function rememberEmbedders(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('face_undescribed')
    .addColumn('account_id', 'bigint', (column) => column.notNull())
    .addColumn('image_id', 'bigint', (column) => column.notNull())
    .addColumn('embedder', 'text', (column) => column.notNull())
    .addColumn('reason', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('face_undescribed_key', ['account_id', 'image_id', 'embedder'])
    .addForeignKeyConstraint(
      'face_undescribed_image',
      ['account_id', 'image_id'],
      'face_image',
      ['account_id', 'id'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute();
  // A calibration names its embedder from now on. It is JSON of ours, an object with fields, and so is the name text of ours.
  await sql`update perception
    set calibration = '{"embedder":"' || embedder || '",' || substr(calibration, 2)
    where calibration is not null`.execute(db);
}
