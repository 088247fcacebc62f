import type { Selectable } from 'kysely';
import { checkName } from '../accounts/names.js';
import type { Clock } from '../core/clock.js';
import { ServiceError } from '../core/service-error.js';
import { lastId } from '../storage/count-up.js';
import type { Database, WriteResult } from '../storage/database.js';
import { type Page, type PageRequest, toPage } from '../storage/page.js';
import type { Schema } from '../storage/schema.js';
import { StorageError } from '../storage/storage-error.js';
import type { CommitUnit } from './commit-unit.js';
import type { FaceImage, NewFaceImage } from './face-image.js';
import { insertImage } from './insert-image.js';
import type { People } from './people.js';
import type { Person } from './person.js';
import { insertPerson } from './person-rows.js';

/** A stored image and where its image is. */
export interface StoredFaceImage extends FaceImage {
  readonly blobId: string;
}

export interface ImagesQuery {
  readonly perceptionId?: number | undefined;
  readonly personId?: number | undefined;
}

/**
 * The rows of face images. Whoever changes them here tells the index and removes blobs afterwards. One of another account
 * is `not_found`, as one that there is not.
 */
export interface FaceImages {
  /** The image with its vector, in one unit; answers its id. Throws `not_found` when the person is there no longer. */
  add(
    accountId: number,
    person: Pick<Person, 'id' | 'perceptionId'>,
    image: NewFaceImage,
    commit: CommitUnit,
  ): Promise<number>;
  /** The same with a new person, named by the key id; or to the one whom another request created meanwhile. */
  addUnderKey(
    accountId: number,
    perceptionId: number,
    keyId: string,
    image: NewFaceImage,
    commit: CommitUnit,
  ): Promise<{ readonly person: Person; readonly imageId: number }>;
  /** The same with a new person of this name and no key id, whoever else has the name. */
  addUnderNewName(
    accountId: number,
    perceptionId: number,
    name: string,
    image: NewFaceImage,
    commit: CommitUnit,
  ): Promise<{ readonly person: Person; readonly imageId: number }>;
  /** The newest first; a position is an id. */
  list(
    accountId: number,
    wanted: ImagesQuery,
    page: PageRequest<number>,
  ): Promise<Page<StoredFaceImage, number>>;
  /** The oldest first, by number: for clients that ask for pages so. */
  oldest(
    accountId: number,
    wanted: ImagesQuery,
    page: { readonly skip: number; readonly limit: number },
  ): Promise<readonly StoredFaceImage[]>;
  read(accountId: number, imageId: number): Promise<StoredFaceImage>;
  /** Those of these ids that there are, by id. */
  found(accountId: number, imageIds: readonly number[]): Promise<ReadonlyMap<number, StoredFaceImage>>;
  count(accountId: number, perceptionId: number, personId?: number): Promise<number>;
  /** An image of the perception, or of one person in it, with the same bytes; null when there is none. */
  withImage(
    accountId: number,
    perceptionId: number,
    sha256: string,
    personId?: number,
  ): Promise<StoredFaceImage | null>;
}

export function createFaceImages(deps: {
  readonly database: Database;
  readonly clock: Clock;
  readonly people: Pick<People, 'findByKeyId'>;
}): FaceImages {
  const { database, clock, people } = deps;
  const { query } = database;
  const visible = (accountId: number) =>
    query
      .selectFrom('face_image')
      .innerJoin('perception', (join) =>
        join
          .onRef('perception.account_id', '=', 'face_image.account_id')
          .onRef('perception.id', '=', 'face_image.perception_id')
          .on('perception.deleted_at', 'is', null),
      )
      .selectAll('face_image')
      .where('face_image.account_id', '=', accountId);

  const visibleOf = (accountId: number, { perceptionId, personId }: ImagesQuery) => {
    let rows = visible(accountId);
    if (perceptionId !== undefined) rows = rows.where('face_image.perception_id', '=', perceptionId);
    if (personId !== undefined) rows = rows.where('face_image.person_id', '=', personId);
    return rows;
  };

  const addWithPerson = async (
    accountId: number,
    perceptionId: number,
    named: Pick<Person, 'name' | 'keyId'>,
    image: NewFaceImage,
    commit: CommitUnit,
  ) => {
    const person = { ...named, createdAt: clock() };
    const results = await commit([
      ...insertPerson(database, accountId, perceptionId, person),
      ...insertImage(deps, accountId, perceptionId, lastId(accountId, 'person'), image),
    ]);
    return { person: { ...person, id: idIn(results.at(-4)), perceptionId }, imageId: idIn(results.at(-2)) };
  };

  const images: FaceImages = {
    async add(accountId, person, image, commit) {
      const results = await commit(insertImage(deps, accountId, person.perceptionId, person.id, image)).catch(
        (error: unknown) => {
          if (!(error instanceof StorageError) || error.code !== 'constraint') throw error;
          throw new ServiceError('not_found', `person ${person.id} is there no longer`, { cause: error });
        },
      );
      return idIn(results.at(-2));
    },

    async addUnderKey(accountId, perceptionId, keyId, image, commit) {
      try {
        return await addWithPerson(accountId, perceptionId, { name: keyId, keyId }, image, commit);
      } catch (error) {
        if (!(error instanceof StorageError) || error.code !== 'unique') throw error;
        // Another request added the first image under this key in between.
        const person = await people.findByKeyId(accountId, perceptionId, keyId);
        // The perception is being deleted: its people are there, and nobody's.
        if (person === null)
          throw new ServiceError('not_found', 'the perception is there no longer', { cause: error });
        return { person, imageId: await images.add(accountId, person, image, commit) };
      }
    },

    addUnderNewName: (accountId, perceptionId, name, image, commit) =>
      addWithPerson(accountId, perceptionId, { name: checkName('name', name), keyId: null }, image, commit),

    async list(accountId, wanted, { limit, after }) {
      let rows = visibleOf(accountId, wanted);
      if (after !== undefined) rows = rows.where('face_image.id', '<', after);
      const found = await rows
        .orderBy('face_image.id', 'desc')
        .limit(limit + 1)
        .execute();
      return toPage(found.map(toFaceImage), limit, ({ id }) => id);
    },

    async oldest(accountId, wanted, { skip, limit }) {
      const found = await visibleOf(accountId, wanted)
        .orderBy('face_image.id')
        .limit(limit)
        .offset(skip)
        .execute();
      return found.map(toFaceImage);
    },

    async read(accountId, imageId) {
      const row = await visible(accountId).where('face_image.id', '=', imageId).executeTakeFirst();
      if (!row) throw new ServiceError('not_found', `image ${imageId} is not one of your face images`);
      return toFaceImage(row);
    },

    async found(accountId, imageIds) {
      if (imageIds.length === 0) return new Map();
      const rows = await visible(accountId)
        .innerJoin('account', 'account.id', 'face_image.account_id')
        // A link of an image needs no key: with its account it ends here.
        .where('account.closed_at', 'is', null)
        .where('face_image.id', 'in', imageIds)
        .execute();
      return new Map(rows.map((row) => [row.id, toFaceImage(row)]));
    },

    async count(accountId, perceptionId, personId) {
      let rows = query
        .selectFrom('face_image')
        .select((from) => from.fn.countAll<number>().as('count'))
        .where('account_id', '=', accountId)
        .where('perception_id', '=', perceptionId);
      if (personId !== undefined) rows = rows.where('person_id', '=', personId);
      const row = await rows.executeTakeFirst();
      return row?.count ?? 0;
    },

    async withImage(accountId, perceptionId, sha256, personId) {
      let rows = visible(accountId)
        .where('face_image.perception_id', '=', perceptionId)
        .where('face_image.image_sha256', '=', sha256);
      if (personId !== undefined) rows = rows.where('face_image.person_id', '=', personId);
      const row = await rows.orderBy('face_image.id').limit(1).executeTakeFirst();
      return row ? toFaceImage(row) : null;
    },
  };
  return images;
}

function idIn(result: WriteResult | undefined): number {
  return Number(result?.rows[0]?.['id']);
}

function toFaceImage(row: Selectable<Schema['face_image']>): StoredFaceImage {
  return {
    id: row.id,
    perceptionId: row.perception_id,
    personId: row.person_id,
    keyId: row.key_id,
    blobId: row.blob_id,
    imageKind: row.image_kind,
    imageBytes: row.image_bytes,
    // Written by us alone.
    face: JSON.parse(row.face),
    createdAt: row.created_at,
  };
}
