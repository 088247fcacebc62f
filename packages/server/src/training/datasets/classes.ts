import type { Compilable } from 'kysely';
import { checkName } from '../../accounts/names.js';
import { quote } from '../../core/quote.js';
import { ServiceError } from '../../core/service-error.js';
import { countUp, lastId } from '../../storage/count-up.js';
import type { Database } from '../../storage/database.js';
import { StorageError } from '../../storage/storage-error.js';
import { type DatasetClass, maxClasses } from './dataset.js';
import { newLabelsRevision } from './labels-revision.js';

export interface EnsuredClasses {
  /** Those of the names that were asked for, by name. */
  readonly classes: ReadonlyMap<string, DatasetClass>;
  /** Ids of those that this call added. */
  readonly added: ReadonlySet<number>;
}

/** The classes of datasets; their names are unique in each. */
export interface Classes {
  /** In the order in which they were added: a model that is trained numbers them so. */
  list(accountId: number, datasetId: number): Promise<readonly DatasetClass[]>;
  add(accountId: number, datasetId: number, name: string): Promise<DatasetClass>;
  /**
   * The classes of these names, by name; those that there are not are added.
   * @param fence of the job that adds them, which ends each unit
   */
  ensure(
    accountId: number,
    datasetId: number,
    names: readonly string[],
    fence?: readonly Compilable[],
  ): Promise<EnsuredClasses>;
  rename(accountId: number, datasetId: number, id: number, name: string): Promise<DatasetClass>;
  /** Its labels become those of the other class, and it is gone. */
  merge(accountId: number, datasetId: number, id: number, into: number): Promise<DatasetClass>;
  /**
   * Throws `conflict` while labels name it, unless forced: then they go with it.
   * @param fence of the job that removes it, which ends the unit
   */
  remove(
    accountId: number,
    datasetId: number,
    id: number,
    force: boolean,
    fence?: readonly Compilable[],
  ): Promise<void>;
}

export function createClasses(database: Database): Classes {
  const { query } = database;
  const list = async (accountId: number, datasetId: number): Promise<readonly DatasetClass[]> =>
    query
      .selectFrom('dataset_class')
      .select(['id', 'name'])
      .where('account_id', '=', accountId)
      .where('dataset_id', '=', datasetId)
      .orderBy('id')
      .execute();

  const read = async (accountId: number, datasetId: number, id: number): Promise<DatasetClass> => {
    const row = await query
      .selectFrom('dataset_class')
      .select(['id', 'name'])
      .where('account_id', '=', accountId)
      .where('dataset_id', '=', datasetId)
      .where('id', '=', id)
      .executeTakeFirst();
    if (!row) throw noClass(id);
    return row;
  };

  const labelsOf = (accountId: number, id: number) =>
    query.deleteFrom('dataset_label').where('account_id', '=', accountId).where('class_id', '=', id);
  const deleteClass = (accountId: number, id: number) =>
    query.deleteFrom('dataset_class').where('account_id', '=', accountId).where('id', '=', id);

  const add = async (
    accountId: number,
    datasetId: number,
    wanted: string,
    fence: readonly Compilable[] = [],
  ): Promise<DatasetClass> => {
    const name = checkName('name', wanted);
    const classes = await list(accountId, datasetId);
    if (classes.length >= maxClasses) {
      throw new ServiceError('conflict', `a dataset has ${maxClasses} classes at most`);
    }
    const [, made] = await database
      .write([
        countUp(database, accountId, 'dataset_class'),
        query
          .insertInto('dataset_class')
          .values({
            account_id: accountId,
            id: lastId(accountId, 'dataset_class'),
            dataset_id: datasetId,
            name,
          })
          .returning('id'),
        ...fence,
      ])
      .catch(rethrowTaken(name))
      .catch(rethrowChanged);
    return { id: Number(made?.rows[0]?.['id']), name };
  };

  return {
    list,
    add: (accountId, datasetId, name) => add(accountId, datasetId, name),

    async ensure(accountId, datasetId, names, fence) {
      const known = new Map((await list(accountId, datasetId)).map((each) => [each.name, each]));
      const classes = new Map<string, DatasetClass>();
      const added = new Set<number>();
      const addOne = async (name: string): Promise<DatasetClass> => {
        try {
          const made = await add(accountId, datasetId, name, fence);
          added.add(made.id);
          return made;
        } catch (error) {
          // Another request added it meanwhile.
          const now = (await list(accountId, datasetId)).find((each) => each.name === name);
          if (!now) throw error;
          return now;
        }
      };
      for (const name of new Set(names.map((each) => checkName('label', each))))
        classes.set(name, known.get(name) ?? (await addOne(name)));
      return { classes, added };
    },

    async rename(accountId, datasetId, id, wanted) {
      const name = checkName('name', wanted);
      const [renamed] = await database
        .write([
          query
            .updateTable('dataset_class')
            .set({ name })
            .where('account_id', '=', accountId)
            .where('dataset_id', '=', datasetId)
            .where('id', '=', id),
        ])
        .catch(rethrowTaken(name));
      if (renamed?.changes !== 1) throw noClass(id);
      return { id, name };
    },

    async merge(accountId, datasetId, id, into) {
      if (id === into) throw new ServiceError('wrong_parameters', 'into is the class itself');
      await read(accountId, datasetId, id);
      const stays = await read(accountId, datasetId, into);
      await database
        .write([
          touchImages(accountId, id),
          // An image that has both classes keeps one; boxes are all kept.
          labelsOf(accountId, id)
            .where('x_min', 'is', null)
            .where('image_id', 'in', (from) =>
              from
                .selectFrom('dataset_label as other')
                .select('other.image_id')
                .where('other.account_id', '=', accountId)
                .where('other.class_id', '=', into),
            ),
          query
            .updateTable('dataset_label')
            .set({ class_id: into })
            .where('account_id', '=', accountId)
            .where('class_id', '=', id),
          deleteClass(accountId, id),
        ])
        .catch(rethrowChanged);
      return stays;
    },

    async remove(accountId, datasetId, id, force, fence = []) {
      const { name } = await read(accountId, datasetId, id);
      const labels = force
        ? [touchImages(accountId, id), unlabel(accountId, id), labelsOf(accountId, id)]
        : [];
      await database.write([...labels, deleteClass(accountId, id), ...fence]).catch((error: unknown) => {
        if (!(error instanceof StorageError) || error.code !== 'constraint') throw error;
        const message = `images have the class ${quote(name)}: give them another, merge it, or delete it with force=true`;
        throw new ServiceError('conflict', message, { cause: error });
      });
    },
  };

  /** Images with this class get other labels: whoever saw the old ones is to know. */
  function touchImages(accountId: number, id: number) {
    return query
      .updateTable('dataset_image')
      .set({ labels_revision: newLabelsRevision() })
      .where('account_id', '=', accountId)
      .where('id', 'in', (from) =>
        from
          .selectFrom('dataset_label as changed')
          .select('changed.image_id')
          .where('changed.account_id', '=', accountId)
          .where('changed.class_id', '=', id),
      );
  }

  /** Images that lose their only label are as if nobody had said yet what they show. */
  function unlabel(accountId: number, id: number) {
    return query
      .updateTable('dataset_image')
      .set({ labelled: 0, partly_labelled: 0 })
      .where('account_id', '=', accountId)
      .where('id', 'in', (from) =>
        from
          .selectFrom('dataset_label as lost')
          .select('lost.image_id')
          .where('lost.account_id', '=', accountId)
          .where('lost.class_id', '=', id),
      )
      .where('id', 'not in', (from) =>
        from
          .selectFrom('dataset_label as kept')
          .select('kept.image_id')
          .where('kept.account_id', '=', accountId)
          .where('kept.class_id', '!=', id),
      );
  }
}

function noClass(id: number): ServiceError {
  return new ServiceError('not_found', `${id} is not one of the classes of this dataset`);
}

/** What a unit named is there no longer. */
function rethrowChanged(error: unknown): never {
  if (!(error instanceof StorageError) || error.code !== 'constraint') throw error;
  throw new ServiceError('conflict', 'the dataset was changed meanwhile: look at it and try again', {
    cause: error,
  });
}

function rethrowTaken(name: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof StorageError) || error.code !== 'unique') throw error;
    throw new ServiceError('conflict', `the dataset has a class ${quote(name)} already`, { cause: error });
  };
}
