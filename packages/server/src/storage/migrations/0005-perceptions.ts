import { type Kysely, sql } from 'kysely';
import type { ColumnTypes } from './column-types.js';

/**
 * Perceptions, their people, the images of their faces, and what is computed of those. Ids count up from 1001 in each
 * account, since clients of v1 cut four digits out of an answer; so every key here begins with the account.
 */
export async function createPerceptions(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable('account_counter')
    .addColumn('account_id', 'bigint', (column) =>
      column.notNull().references('account.id').onDelete('cascade'),
    )
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('last', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('account_counter_key', ['account_id', 'kind'])
    .execute();

  await db.schema
    .createTable('secret')
    .addColumn('name', 'text', (column) => column.notNull().primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('perception')
    .addColumn('account_id', 'bigint', (column) =>
      column.notNull().references('account.id').onDelete('cascade'),
    )
    .addColumn('id', 'bigint', (column) => column.notNull())
    .addColumn('uid', 'text', (column) => column.notNull().unique())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('decision_similarity', 'double precision', (column) =>
      column.notNull().check(sql`decision_similarity between 0 and 1`),
    )
    .addColumn('wants_liveness', 'bigint', (column) => column.notNull())
    .addColumn('names_recognition', 'bigint', (column) => column.notNull())
    .addColumn('refused_problems', 'text', (column) => column.notNull())
    .addColumn('calibration', 'text')
    .addColumn('embedder', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('deleted_at', 'bigint')
    .addPrimaryKeyConstraint('perception_key', ['account_id', 'id'])
    .execute();

  await db.schema
    .createTable('person')
    .addColumn('account_id', 'bigint', (column) => column.notNull())
    .addColumn('id', 'bigint', (column) => column.notNull())
    .addColumn('perception_id', 'bigint', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('key_id', 'text')
    .addColumn('search_text', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('person_key', ['account_id', 'id'])
    .addUniqueConstraint('person_key_id', ['account_id', 'perception_id', 'key_id'])
    .addForeignKeyConstraint(
      'person_perception',
      ['account_id', 'perception_id'],
      'perception',
      ['account_id', 'id'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute();

  await db.schema
    .createTable('face_image')
    .addColumn('account_id', 'bigint', (column) => column.notNull())
    .addColumn('id', 'bigint', (column) => column.notNull())
    .addColumn('perception_id', 'bigint', (column) => column.notNull())
    .addColumn('person_id', 'bigint', (column) => column.notNull())
    .addColumn('key_id', 'text')
    .addColumn('blob_id', 'text', (column) => column.notNull().unique())
    .addColumn('picture_kind', 'text', (column) => column.notNull())
    .addColumn('picture_bytes', 'bigint', (column) => column.notNull())
    .addColumn('picture_sha256', 'text', (column) => column.notNull())
    .addColumn('face', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('face_image_key', ['account_id', 'id'])
    // Without a cascade: an image has a picture and a place in the index, and goes only where these go too.
    .addForeignKeyConstraint('face_image_person', ['account_id', 'person_id'], 'person', ['account_id', 'id'])
    .execute();
  await db.schema
    .createIndex('face_image_perception')
    .on('face_image')
    .columns(['account_id', 'perception_id', 'id'])
    .execute();
  await db.schema
    .createIndex('face_image_of_person')
    .on('face_image')
    .columns(['account_id', 'person_id', 'id'])
    .execute();

  await db.schema
    .createTable('face_embedding')
    .addColumn('account_id', 'bigint', (column) => column.notNull())
    .addColumn('image_id', 'bigint', (column) => column.notNull())
    .addColumn('embedder', 'text', (column) => column.notNull())
    .addColumn('vector', types.bytes, (column) => column.notNull())
    .addPrimaryKeyConstraint('face_embedding_key', ['account_id', 'image_id', 'embedder'])
    .addForeignKeyConstraint(
      'face_embedding_image',
      ['account_id', 'image_id'],
      'face_image',
      ['account_id', 'id'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute();

  await db.schema
    .createTable('face_correction')
    .addColumn('account_id', 'bigint', (column) => column.notNull())
    .addColumn('id', 'bigint', (column) => column.notNull())
    .addColumn('person_id', 'bigint', (column) => column.notNull())
    .addColumn('embedder', 'text', (column) => column.notNull())
    .addColumn('vector', types.bytes, (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('face_correction_key', ['account_id', 'id'])
    .addForeignKeyConstraint(
      'face_correction_person',
      ['account_id', 'person_id'],
      'person',
      ['account_id', 'id'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute();
  await db.schema
    .createIndex('face_correction_of_person')
    .on('face_correction')
    .columns(['account_id', 'person_id'])
    .execute();
}
