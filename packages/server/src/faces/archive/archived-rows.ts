import { ServiceError } from '../../core/service-error.js';
import type { Database } from '../../storage/database.js';
import { comparableWith } from '../embedder-figures.js';
import type { Perception } from '../perception.js';
import { recordsInMember } from './format.js';

export interface RowsDeps {
  readonly database: Pick<Database, 'query'>;
}

export async function isImageThere(
  { database: { query } }: RowsDeps,
  accountId: number,
  id: number,
): Promise<boolean> {
  const row = await query
    .selectFrom('face_image')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row !== undefined;
}

export async function countNotEmbedded(
  { database: { query } }: RowsDeps,
  accountId: number,
  { id, embedder }: Perception,
): Promise<number> {
  const row = await query
    .selectFrom('face_image')
    .leftJoin('face_embedding', (join) =>
      join
        .onRef('face_embedding.account_id', '=', 'face_image.account_id')
        .onRef('face_embedding.image_id', '=', 'face_image.id')
        .on('face_embedding.embedder', '=', embedder),
    )
    .select((from) => from.fn.countAll<number>().as('count'))
    .where('face_image.account_id', '=', accountId)
    .where('face_image.perception_id', '=', id)
    .where('face_embedding.image_id', 'is', null)
    .executeTakeFirst();
  return row?.count ?? 0;
}

/** Throws `not_found` for a perception that is gone: what was not exported yet is then missing from what looks whole. */
export async function checkIsThere(
  { database: { query } }: RowsDeps,
  accountId: number,
  id: number,
): Promise<void> {
  const row = await query
    .selectFrom('perception')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!row) throw new ServiceError('not_found', `perception ${id} was deleted while it was exported`);
}

export async function* peopleOf(
  { database: { query } }: RowsDeps,
  accountId: number,
  perceptionId: number,
  listed: number,
) {
  for (let after = listed; ; ) {
    const rows = await query
      .selectFrom('person')
      .select(['id as person', 'name', 'key_id as keyId', 'created_at as createdAt'])
      .where('account_id', '=', accountId)
      .where('perception_id', '=', perceptionId)
      .where('id', '>', after)
      .orderBy('id')
      .limit(recordsInMember)
      .execute();
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = last.person;
  }
}

export async function* correctionsOf(
  { database: { query } }: RowsDeps,
  accountId: number,
  { id, embedder }: Perception,
) {
  for (let after = 0; ; ) {
    const rows = await query
      .selectFrom('face_correction')
      .innerJoin('person', (join) =>
        join
          .onRef('person.account_id', '=', 'face_correction.account_id')
          .onRef('person.id', '=', 'face_correction.person_id'),
      )
      .select(['face_correction.id', 'person.id as person', 'vector'])
      .where('face_correction.account_id', '=', accountId)
      .where('person.perception_id', '=', id)
      // Those of other versions and revisions of its model are in force too.
      .where('face_correction.embedder', 'like', comparableWith(embedder))
      .where('face_correction.id', '>', after)
      .orderBy('face_correction.id')
      .limit(recordsInMember)
      .execute();
    const last = rows.at(-1);
    if (last === undefined) return;
    yield { after, some: rows.map(({ person, vector }) => ({ person, vector: toText(vector) })) };
    after = last.id;
  }
}

const imagesAtOnce = 200;

export async function* imagesOf(
  { database: { query } }: RowsDeps,
  accountId: number,
  { id, embedder }: Perception,
) {
  for (let after = 0; ; ) {
    const rows = await query
      .selectFrom('face_image')
      .innerJoin('face_embedding', (join) =>
        join
          .onRef('face_embedding.account_id', '=', 'face_image.account_id')
          .onRef('face_embedding.image_id', '=', 'face_image.id')
          .on('face_embedding.embedder', '=', embedder),
      )
      .select([
        'face_image.id as number',
        'blob_id as blobId',
        'person_id as person',
        'key_id as keyId',
        'image_sha256 as sha256',
        'face',
        'created_at as createdAt',
        'vector',
      ])
      .where('face_image.account_id', '=', accountId)
      .where('face_image.perception_id', '=', id)
      .where('face_image.id', '>', after)
      .orderBy('face_image.id')
      .limit(imagesAtOnce)
      .execute();
    const last = rows.at(-1);
    if (last === undefined) return;
    // The face was written by us alone.
    for (const row of rows) yield { ...row, face: JSON.parse(row.face), vector: toText(row.vector) };
    after = last.number;
  }
}

/** Little-endian 32-bit floats as base64. */
function toText(vector: Uint8Array): string {
  return Buffer.from(vector).toString('base64');
}
