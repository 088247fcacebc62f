import { checkName } from '../accounts/names.js';
import type { Clock } from '../core/clock.js';
import { ServiceError } from '../core/service-error.js';
import { lastId } from '../storage/count-up.js';
import type { Database, WriteResult } from '../storage/database.js';
import { StorageError } from '../storage/storage-error.js';
import type { FaceImages } from './face-images.js';
import type { People } from './people.js';
import type { Perception } from './perception.js';
import type { ListedPerson } from './person.js';
import { insertPerson, searchText } from './person-rows.js';

/** Whom images are moved to: a person of the perception, or a new one. */
export type MovedTo = { readonly personId: number } | { readonly name: string };

interface RegroupingDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly people: Pick<People, 'read'>;
  readonly images: Pick<FaceImages, 'found'>;
}

/** Putting right who is who. What is one call here is one unit, and the next search knows it. */
export function createRegrouping(deps: RegroupingDeps) {
  const { database, clock, people, images } = deps;
  const { query } = database;

  const readOfPerception = async (accountId: number, perceptionId: number, personId: number) => {
    const person = await people.read(accountId, personId);
    if (person.perceptionId !== perceptionId) {
      throw new ServiceError('not_found', `person ${personId} is not in perception ${perceptionId}`);
    }
    return person;
  };

  const checkImages = async (accountId: number, perceptionId: number, imageIds: readonly number[]) => {
    const found = await images.found(accountId, imageIds);
    for (const id of imageIds) {
      if (found.get(id)?.perceptionId !== perceptionId) {
        throw new ServiceError('not_found', `image ${id} is not one of perception ${perceptionId}`);
      }
    }
  };

  return {
    /**
     * Images, corrections and key id of one person go over to another of the perception, and the person is gone. Throws
     * `not_found`, `wrong_parameters` for a person of another perception, `conflict` when both have a key id, unless that of the
     * first may go.
     */
    async merge(
      accountId: number,
      personId: number,
      intoId: number,
      { dropsKeyId = false }: { readonly dropsKeyId?: boolean } = {},
    ): Promise<ListedPerson> {
      const from = await people.read(accountId, personId);
      const into = await people.read(accountId, intoId);
      checkMergeable(from, into, dropsKeyId);
      const keyId = into.keyId ?? from.keyId;
      await database
        .write([
          query
            .updateTable('face_image')
            .set({ person_id: into.id })
            .where('account_id', '=', accountId)
            .where('person_id', '=', from.id),
          query
            .updateTable('face_correction')
            .set({ person_id: into.id })
            .where('account_id', '=', accountId)
            .where('person_id', '=', from.id),
          query
            .deleteFrom('person')
            .where('account_id', '=', accountId)
            .where('id', '=', from.id)
            // A person without images would else vanish into one who is gone.
            .where(({ exists }) =>
              exists(
                query
                  .selectFrom('person as other')
                  .select('other.id')
                  .where('other.account_id', '=', accountId)
                  .where('other.id', '=', into.id),
              ),
            ),
          query
            .updateTable('person')
            .set({ key_id: keyId, search_text: searchText(into.name, keyId) })
            .where('account_id', '=', accountId)
            .where('id', '=', into.id),
        ])
        .catch(rethrowChanged);
      return people.read(accountId, into.id);
    },

    /** All of the images, or `not_found` when one of them or the person is not in the perception. */
    async move(
      accountId: number,
      { id: perceptionId }: Pick<Perception, 'id'>,
      imageIds: readonly number[],
      to: MovedTo,
    ): Promise<ListedPerson> {
      const isNew = 'name' in to;
      const name = isNew ? checkName('name', to.name) : '';
      if (!isNew) await readOfPerception(accountId, perceptionId, to.personId);
      await checkImages(accountId, perceptionId, imageIds);
      const makePerson = isNew
        ? insertPerson(database, accountId, perceptionId, { name, keyId: null, createdAt: clock() })
        : [];
      const results = await database
        .write([
          ...makePerson,
          query
            .updateTable('face_image')
            .set({ person_id: isNew ? lastId(accountId, 'person') : to.personId })
            .where('account_id', '=', accountId)
            .where('perception_id', '=', perceptionId)
            .where('id', 'in', imageIds)
            .returning('id'),
        ])
        .catch(rethrowChanged);
      const personId = isNew ? (idsIn(results.at(-2))[0] ?? 0) : to.personId;
      return people.read(accountId, personId);
    },
  };
}

function checkMergeable(from: ListedPerson, into: ListedPerson, dropsKeyId: boolean): void {
  if (from.id === into.id) {
    throw new ServiceError('wrong_parameters', 'into must be another person than the one that is merged');
  }
  if (from.perceptionId !== into.perceptionId) {
    throw new ServiceError('wrong_parameters', `into must be a person of perception ${from.perceptionId}`);
  }
  if (from.keyId !== null && into.keyId !== null && !dropsKeyId) {
    throw new ServiceError(
      'conflict',
      'both have a key_id, and only one can stay: set the other to null first',
    );
  }
}

/** An image was added to a person, or a person was deleted, after the people were read. */
function rethrowChanged(error: unknown): never {
  if (!(error instanceof StorageError) || error.code !== 'constraint') throw error;
  throw new ServiceError('conflict', 'the people were changed meanwhile: look at them and try again', {
    cause: error,
  });
}

function idsIn(result: WriteResult | undefined): readonly number[] {
  return result?.rows.map((row) => Number(row['id'])) ?? [];
}
