import { sql } from 'kysely';
import type { Database } from '../storage/database.js';
import type { GalleryRef } from './index/face-index.js';
import { fromVectorBytes } from './vector-bytes.js';

export interface SampledFace {
  readonly personId: number;
  /** Of the image. */
  readonly sha256: string;
  readonly vector: Float32Array;
}

/** Rows of people read at once: at most a megabyte of vectors. */
const peopleAtOnce = 50;

/** People with two images or more that the gallery's embedder described. */
export async function countRepeatedPeople(
  database: Pick<Database, 'query'>,
  gallery: GalleryRef,
): Promise<number> {
  const row = await database.query
    .selectFrom(repeatedPeople(database, gallery).as('repeated'))
    .select((from) => from.fn.countAll<number>().as('count'))
    .executeTakeFirst();
  return row?.count ?? 0;
}

/** Some of those people, spread over all, with their first images; images of a person stand together. */
export async function sampleRepeatedPeople(
  database: Pick<Database, 'query'>,
  gallery: GalleryRef,
  maxPeople: number,
  maxImagesOfPerson: number,
): Promise<readonly SampledFace[]> {
  const people = await repeatedPeople(database, gallery)
    // The same ones every time, and not only those who came first.
    .orderBy(sql`(person_id * 7919) % 10007`)
    .orderBy('person_id')
    .limit(maxPeople)
    .execute();
  const ids = people.map(({ personId }) => personId);
  const faces: SampledFace[] = [];
  for (let at = 0; at < ids.length; at += peopleAtOnce) {
    const some = ids.slice(at, at + peopleAtOnce);
    faces.push(...(await firstFaces(database, gallery, some, maxImagesOfPerson)));
  }
  return faces;
}

function withEmbedding({ query }: Pick<Database, 'query'>, gallery: GalleryRef) {
  return query
    .selectFrom('face_image')
    .innerJoin('face_embedding', (join) =>
      join
        .onRef('face_embedding.account_id', '=', 'face_image.account_id')
        .onRef('face_embedding.image_id', '=', 'face_image.id')
        .on('face_embedding.embedder', '=', gallery.embedder),
    )
    .where('face_image.account_id', '=', gallery.accountId)
    .where('face_image.perception_id', '=', gallery.perceptionId);
}

function repeatedPeople(database: Pick<Database, 'query'>, gallery: GalleryRef) {
  return withEmbedding(database, gallery)
    .select('face_image.person_id as personId')
    .groupBy('face_image.person_id')
    .having((row) => row.fn.countAll<number>(), '>=', 2);
}

async function firstFaces(
  database: Pick<Database, 'query'>,
  gallery: GalleryRef,
  personIds: readonly number[],
  maxImagesOfPerson: number,
): Promise<readonly SampledFace[]> {
  const rows = await database.query
    .selectFrom(
      withEmbedding(database, gallery)
        .where('face_image.person_id', 'in', personIds)
        .select([
          'face_image.person_id as personId',
          'face_image.image_sha256 as sha256',
          'face_embedding.vector as vector',
          sql<number>`row_number() over (partition by face_image.person_id order by face_image.id)`.as(
            'rank',
          ),
        ])
        .as('faces'),
    )
    .select(['personId', 'sha256', 'vector'])
    .where('rank', '<=', maxImagesOfPerson)
    .orderBy('personId')
    .execute();
  return rows.map((row) => ({ ...row, vector: fromVectorBytes(row.vector) }));
}
