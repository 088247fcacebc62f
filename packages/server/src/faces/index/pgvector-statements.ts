import { type Compilable, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../storage/database.js';
import type { GalleryRef, IndexedFace, NearestQuery } from './face-index.js';

/** The SQL of the index in PostgreSQL, over tables of its own that can be made again at any time. */

interface NearestRow {
  readonly position: number | null;
  readonly personId: number | null;
  readonly imageId: number | null;
  readonly cosine: number | null;
}

/**
 * The index's own tables. A gallery is `building` until all its faces were read; `position` is the number of changes that
 * it has, and while it is built the one from which it will go on.
 */
const tables: readonly string[] = [
  'create extension if not exists vector',
  `create table if not exists face_gallery (
     account_id bigint not null, perception_id bigint not null, embedder text not null,
     position bigint not null, building bigint not null,
     primary key (account_id, perception_id, embedder),
     foreign key (account_id, perception_id) references perception (account_id, id) on delete cascade)`,
  `create table if not exists face_vector (
     account_id bigint not null, perception_id bigint not null, embedder text not null,
     image_id bigint not null, person_id bigint not null, vector vector not null,
     primary key (account_id, perception_id, embedder, image_id),
     foreign key (account_id, perception_id, embedder) references face_gallery on delete cascade)`,
  `create index if not exists face_vector_of_person
     on face_vector (account_id, perception_id, embedder, person_id)`,
];

export function createPgvectorStatements({ query }: Pick<Database, 'query'>) {
  const statement = (raw: RawBuilder<unknown>): Compilable => ({ compile: () => raw.compile(query) });
  const of = ({ accountId, perceptionId, embedder }: GalleryRef) =>
    sql`account_id = ${accountId} and perception_id = ${perceptionId} and embedder = ${embedder}`;
  const key = ({ accountId, perceptionId, embedder }: GalleryRef) =>
    sql`${accountId}::bigint, ${perceptionId}::bigint, ${embedder}::text`;

  return {
    makeTables: (): readonly Compilable[] => tables.map((text) => statement(sql.raw(text))),

    readGallery: async (gallery: GalleryRef) =>
      (
        await sql<{ readonly position: number; readonly building: number }>`
          select position, building from face_gallery where ${of(gallery)}`.execute(query)
      ).rows[0],

    begin: (gallery: GalleryRef, position: number): Compilable =>
      statement(sql`
        insert into face_gallery (account_id, perception_id, embedder, position, building)
        select ${key(gallery)}, ${position}::bigint, 1 from perception
        where account_id = ${gallery.accountId} and id = ${gallery.perceptionId}
        on conflict do nothing`),

    /**
     * First in a unit that changes a gallery: undone, the unit throws `not-null`, when another writer changed it since it
     * was read, or finished building it.
     */
    advance: (
      gallery: GalleryRef,
      from: { readonly position: number; readonly building: number },
      to: { readonly position: number; readonly building: number },
    ): Compilable =>
      statement(sql`
        update face_gallery set building = ${to.building}, position =
          case when position = ${from.position} and building = ${from.building} then ${to.position}::bigint end
        where ${of(gallery)}`),

    put: (gallery: GalleryRef, faces: readonly IndexedFace[]): Compilable =>
      statement(sql`
        insert into face_vector (account_id, perception_id, embedder, image_id, person_id, vector)
        values ${sql.join(
          faces.map(
            ({ imageId, personId, vector }) =>
              sql`(${key(gallery)}, ${imageId}, ${personId}, ${toText(vector)}::vector)`,
          ),
        )}
        on conflict (account_id, perception_id, embedder, image_id)
        do update set person_id = excluded.person_id, vector = excluded.vector`),

    remove: (gallery: GalleryRef, imageIds: readonly number[]): Compilable =>
      statement(
        sql`delete from face_vector where ${of(gallery)} and image_id in (${sql.join([...imageIds])})`,
      ),

    drop: (gallery: GalleryRef): Compilable => statement(sql`delete from face_gallery where ${of(gallery)}`),

    /**
     * What is nearest, with the position of the gallery that was searched: one row without a person where there is nobody.
     * Vectors of another length than the query's have no distance.
     */
    nearest: async (gallery: GalleryRef, asked: Float32Array, { people, personId }: NearestQuery) => {
      const person = personId === undefined ? sql`` : sql`and person_id = ${personId}`;
      const { rows } = await sql<NearestRow>`
        select g.position, n.person_id as "personId", n.image_id as "imageId", -n.distance as cosine
        from (select ${toText(asked)}::vector as vector) asked
        left join (select position from face_gallery where ${of(gallery)} and building = 0) g on true
        left join lateral (
          select * from (
            select distinct on (person_id) person_id, image_id, distance
            from (
              select person_id, image_id,
                case when vector_dims(vector) = ${asked.length} then vector <#> asked.vector end as distance
              from face_vector where ${of(gallery)} ${person}
            ) every where distance is not null
            order by person_id, distance, image_id
          ) best order by distance, image_id limit ${people}
        ) n on true
        order by n.distance, n.image_id`.execute(query);
      return rows;
    },
  };
}

function toText(vector: Float32Array): string {
  return `[${vector.join(',')}]`;
}
