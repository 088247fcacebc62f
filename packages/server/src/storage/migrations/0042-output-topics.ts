import type { Kysely } from 'kysely';
import { setMinimumVersion } from './minimum-version.js';

/** Where which MQTT broker keeps something of an output of streams: who works on it later clears what is not wanted any more. */
export async function createOutputTopics(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('stream_output_topic')
    .addColumn('account_id', 'bigint', (column) => column.notNull())
    .addColumn('output_id', 'bigint', (column) => column.notNull())
    .addColumn('broker', 'text', (column) => column.notNull())
    .addColumn('topic', 'text', (column) => column.notNull())
    .addForeignKeyConstraint(
      'stream_output_topic_output',
      ['account_id', 'output_id'],
      'stream_output',
      ['account_id', 'id'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute();
  // Without the topic: it may be longer than an index of PostgreSQL takes.
  await db.schema
    .createIndex('stream_output_topic_of_output')
    .on('stream_output_topic')
    .columns(['account_id', 'output_id'])
    .execute();
  await setMinimumVersion(db, '0.1.0');
}
