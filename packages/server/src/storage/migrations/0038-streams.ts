import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely';
import type { ColumnTypes } from './column-types.js';
import { setMinimumVersion } from './minimum-version.js';

const required = (column: ColumnDefinitionBuilder) => column.notNull();

/**
 * Live streams with what was seen in them, where their events are sent, and video files. Files of both are rows of one table,
 * by which they are found when nothing else names them.
 */
export async function createStreams(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createSources(db, types);
  await createEvents(db);
  await createMedia(db);
  for (const statement of forgetPeople(types)) await sql.raw(statement).execute(db);
  await setMinimumVersion(db, '0.1.0');
}

async function createSources(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('stream')
    .addColumn('account_id', 'bigint', (column) =>
      column.notNull().references('account.id').onDelete('cascade'),
    )
    .addColumn('id', 'bigint', required)
    .addColumn('uid', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text', required)
    .addColumn('source', 'text', required)
    .addColumn('sealed_secrets', 'text')
    .addColumn('settings', 'text', required)
    .addColumn('is_enabled', 'bigint', required)
    .addColumn('revision', 'bigint', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('deleted_at', 'bigint')
    .addPrimaryKeyConstraint('stream_key', ['account_id', 'id'])
    .execute();
  await db.schema
    .createTable('stream_state')
    .addColumn('account_id', 'bigint', required)
    .addColumn('stream_id', 'bigint', required)
    .addColumn('state', 'text', required)
    .addColumn('reason', 'text')
    .addColumn('since', 'bigint', required)
    .addColumn('analysed_millifps', 'bigint', required)
    .addColumn('width', 'bigint')
    .addColumn('height', 'bigint')
    .addColumn('last_frame_at', 'bigint')
    .addColumn('updated_at', 'bigint', required)
    .addPrimaryKeyConstraint('stream_state_key', ['account_id', 'stream_id'])
    .addForeignKeyConstraint(
      'stream_state_stream',
      ['account_id', 'stream_id'],
      'stream',
      ['account_id', 'id'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute();
  await db.schema
    .createTable('stream_preview')
    .addColumn('account_id', 'bigint', required)
    .addColumn('stream_id', 'bigint', required)
    .addColumn('watched_until', 'bigint', required)
    .addColumn('at', 'bigint')
    .addColumn('jpeg', sql.raw(types.bytes))
    .addColumn('result', 'text')
    .addPrimaryKeyConstraint('stream_preview_key', ['account_id', 'stream_id'])
    .addForeignKeyConstraint(
      'stream_preview_stream',
      ['account_id', 'stream_id'],
      'stream',
      ['account_id', 'id'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute();
  await db.schema
    .createTable('stream_frames')
    .addColumn('account_id', 'bigint', (column) =>
      column.notNull().references('account.id').onDelete('cascade'),
    )
    .addColumn('day', 'text', required)
    .addColumn('frames', 'bigint', required)
    .addPrimaryKeyConstraint('stream_frames_key', ['account_id', 'day'])
    .execute();
}

async function createEvents(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('stream_track')
    .addColumn('id', 'text', (column) => column.notNull().primaryKey())
    .addColumn('account_id', 'bigint', required)
    .addColumn('stream_id', 'bigint', required)
    .addColumn('label', 'text', required)
    .addColumn('score', 'double precision', required)
    .addColumn('top_score', 'double precision', required)
    .addColumn('started_at', 'bigint', required)
    .addColumn('last_seen_at', 'bigint', required)
    .addColumn('ended_at', 'bigint')
    .addColumn('is_stationary', 'bigint', required)
    .addColumn('person_id', 'bigint')
    .addColumn('person_name', 'text')
    .addColumn('person_score', 'double precision')
    .addColumn('details', 'text', required)
    .addColumn('snapshot_id', 'text')
    .addColumn('clip_id', 'text')
    .addColumn('deleted_at', 'bigint')
    // Without a cascade: a track has files, and goes only where these go too.
    .addForeignKeyConstraint('stream_track_stream', ['account_id', 'stream_id'], 'stream', [
      'account_id',
      'id',
    ])
    .execute();
  const indexes: readonly (readonly [string, string[]])[] = [
    ['stream_track_newest', ['account_id', 'started_at', 'id']],
    ['stream_track_of_stream', ['account_id', 'stream_id', 'started_at', 'id']],
    ['stream_track_label', ['account_id', 'label', 'started_at', 'id']],
    ['stream_track_person', ['account_id', 'person_id']],
  ];
  for (const [name, columns] of indexes)
    await db.schema.createIndex(name).on('stream_track').columns(columns).execute();
  await db.schema
    .createIndex('stream_track_open')
    .on('stream_track')
    .columns(['account_id', 'stream_id'])
    .where(sql.ref('ended_at'), 'is', null)
    .execute();
  await db.schema
    .createIndex('stream_track_deleted')
    .on('stream_track')
    .column('deleted_at')
    .where(sql.ref('deleted_at'), 'is not', null)
    .execute();

  await db.schema
    .createTable('stream_event')
    .addColumn('account_id', 'bigint', required)
    .addColumn('seq', 'bigint', required)
    .addColumn('stream_id', 'bigint', required)
    .addColumn('track_id', 'text', (column) => column.references('stream_track.id').onDelete('cascade'))
    .addColumn('kind', 'text', required)
    .addColumn('at', 'bigint', required)
    .addColumn('data', 'text', required)
    .addPrimaryKeyConstraint('stream_event_key', ['account_id', 'seq'])
    .addForeignKeyConstraint('stream_event_stream', ['account_id', 'stream_id'], 'stream', [
      'account_id',
      'id',
    ])
    .execute();
  await db.schema
    .createIndex('stream_event_newest')
    .on('stream_event')
    .columns(['account_id', 'at', 'seq'])
    .execute();
  await db.schema
    .createIndex('stream_event_of_stream')
    .on('stream_event')
    .columns(['account_id', 'stream_id', 'at', 'seq'])
    .execute();
  await db.schema
    .createIndex('stream_event_of_track')
    .on('stream_event')
    .columns(['track_id', 'seq'])
    .execute();

  await db.schema
    .createTable('stream_output')
    .addColumn('account_id', 'bigint', (column) =>
      column.notNull().references('account.id').onDelete('cascade'),
    )
    .addColumn('id', 'bigint', required)
    .addColumn('uid', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text', required)
    .addColumn('kind', 'text', (column) => column.notNull().check(sql`kind in ('webhook', 'mqtt')`))
    .addColumn('settings', 'text', required)
    .addColumn('sealed_secrets', 'text')
    .addColumn('is_enabled', 'bigint', required)
    .addColumn('revision', 'bigint', required)
    .addColumn('delivered_seq', 'bigint', required)
    .addColumn('failing_since', 'bigint')
    .addColumn('error', 'text')
    .addColumn('given_up', 'bigint', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('deleted_at', 'bigint')
    .addPrimaryKeyConstraint('stream_output_key', ['account_id', 'id'])
    .execute();
}

async function createMedia(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('video')
    .addColumn('account_id', 'bigint', (column) =>
      column.notNull().references('account.id').onDelete('cascade'),
    )
    .addColumn('id', 'bigint', required)
    .addColumn('uid', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text', required)
    .addColumn('address', 'text')
    .addColumn('sealed_secrets', 'text')
    .addColumn('settings', 'text', required)
    .addColumn('info', 'text')
    .addColumn('file_id', 'text')
    .addColumn('timeline_id', 'text')
    .addColumn('created_at', 'bigint', required)
    .addColumn('expires_at', 'bigint')
    .addColumn('deleted_at', 'bigint')
    .addPrimaryKeyConstraint('video_key', ['account_id', 'id'])
    .execute();
  await db.schema
    .createTable('media_blob')
    .addColumn('blob_id', 'text', (column) => column.notNull().primaryKey())
    .addColumn('account_id', 'bigint', required)
    .addColumn('kind', 'text', (column) =>
      column.notNull().check(sql`kind in ('snapshot', 'clip', 'video', 'thumbnail', 'timeline')`),
    )
    .addColumn('track_id', 'text', (column) => column.references('stream_track.id'))
    .addColumn('video_id', 'bigint')
    .addColumn('person_id', 'bigint')
    .addColumn('media_type', 'text', required)
    .addColumn('size_bytes', 'bigint', required)
    .addColumn('created_at', 'bigint', required)
    .addForeignKeyConstraint('media_blob_video', ['account_id', 'video_id'], 'video', ['account_id', 'id'])
    .execute();
  await db.schema
    .createIndex('media_blob_account')
    .on('media_blob')
    .columns(['account_id', 'kind', 'created_at', 'blob_id'])
    .execute();
  await db.schema.createIndex('media_blob_track').on('media_blob').column('track_id').execute();
  await db.schema
    .createIndex('media_blob_video')
    .on('media_blob')
    .columns(['account_id', 'video_id'])
    .execute();
  await db.schema
    .createIndex('media_blob_person')
    .on('media_blob')
    .columns(['account_id', 'person_id'])
    .where(sql.ref('person_id'), 'is not', null)
    .execute();
  await db.schema
    .createIndex('video_expiry')
    .on('video')
    .column('expires_at')
    .where(sql.ref('expires_at'), 'is not', null)
    .execute();
}

/** Tracks of a person are hidden in the unit that deletes the person; a sweep deletes them with their files. */
function forgetPeople({ bytes }: ColumnTypes): readonly string[] {
  const hide = (nowMs: string) =>
    `update stream_track set deleted_at = ${nowMs}
     where account_id = old.account_id and person_id = old.id and deleted_at is null`;
  if (bytes === 'blob') {
    return [
      `create trigger stream_track_person_removed after delete on person for each row
       begin ${hide("cast(unixepoch('subsec') * 1000 as integer)")}; end`,
    ];
  }
  return [
    `create function stream_track_person_removed() returns trigger language plpgsql as $$
     begin
       ${hide('(extract(epoch from clock_timestamp()) * 1000)::bigint')};
       return null;
     end $$`,
    `create trigger stream_track_person_removed after delete on person
     for each row execute function stream_track_person_removed()`,
  ];
}
