import type { Selectable } from 'kysely';
import { checkName } from '../accounts/names.js';
import type { Clock } from '../core/clock.js';
import { ServiceError } from '../core/service-error.js';
import type { Settings } from '../core/settings.js';
import { ownedUuid } from '../storage/blobs/owned-id.js';
import { countUp, lastId } from '../storage/count-up.js';
import type { Database } from '../storage/database.js';
import { type Page, type PageRequest, toPage } from '../storage/page.js';
import type { DatasetTable } from '../storage/tables/datasets.js';
import { refuseWhenFull, whileFewer } from '../storage/within-limit.js';
import type { Dataset } from './dataset.js';

/** The datasets of accounts. One of another account is `not_found`, as one that there is not. */
export interface Datasets {
  /** Throws `account_full`. */
  create(accountId: number, wanted: Pick<Dataset, 'name' | 'task' | 'multiLabel'>): Promise<Dataset>;
  /** The newest first; a position is an id. */
  list(accountId: number, page: PageRequest<number>): Promise<Page<Dataset, number>>;
  read(accountId: number, id: number): Promise<Dataset>;
  rename(accountId: number, id: number, name: string): Promise<Dataset>;
}

export function createDatasets({
  database,
  clock,
  limits: { accountMaxDatasets: maxDatasets },
}: {
  readonly database: Database;
  readonly clock: Clock;
  readonly limits: Pick<Settings, 'accountMaxDatasets'>;
}): Datasets {
  const { query } = database;
  const visible = (accountId: number) =>
    query
      .selectFrom('dataset')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('deleted_at', 'is', null);

  const read = async (accountId: number, id: number): Promise<Dataset> => {
    const row = await visible(accountId).where('id', '=', id).executeTakeFirst();
    if (!row) throw noDataset(id);
    return toDataset(row);
  };

  return {
    read,

    async create(accountId, { name, task, multiLabel }) {
      if (multiLabel && task !== 'classification') {
        throw new ServiceError('wrong_parameters', 'multi_label is for the task classification alone');
      }
      const rows = query
        .selectFrom('dataset')
        .select(({ fn }) => fn.countAll().as('count'))
        .where('account_id', '=', accountId)
        .where('deleted_at', 'is', null);
      const unit = database.write([
        countUp(database, accountId, 'dataset'),
        query
          .insertInto('dataset')
          .values({
            account_id: accountId,
            id: whileFewer(lastId(accountId, 'dataset'), rows, maxDatasets),
            uid: ownedUuid(accountId),
            name: checkName('name', name),
            task,
            multi_label: multiLabel ? 1 : 0,
            created_at: clock(),
            deleted_at: null,
          })
          .returning('id'),
      ]);
      const [, made] = await refuseWhenFull(
        unit,
        `an account has ${maxDatasets} datasets at most: delete one first`,
      );
      return read(accountId, Number(made?.rows[0]?.['id']));
    },

    async list(accountId, { limit, after }) {
      let rows = visible(accountId);
      if (after !== undefined) rows = rows.where('id', '<', after);
      const found = await rows
        .orderBy('id', 'desc')
        .limit(limit + 1)
        .execute();
      return toPage(found.map(toDataset), limit, ({ id }) => id);
    },

    async rename(accountId, id, name) {
      const [renamed] = await database.write([
        query
          .updateTable('dataset')
          .set({ name: checkName('name', name) })
          .where('account_id', '=', accountId)
          .where('id', '=', id)
          .where('deleted_at', 'is', null),
      ]);
      if (renamed?.changes !== 1) throw noDataset(id);
      return read(accountId, id);
    },
  };
}

export function noDataset(id: number): ServiceError {
  return new ServiceError('not_found', `${id} is not one of your datasets`);
}

function toDataset(row: Selectable<DatasetTable>): Dataset {
  return {
    id: row.id,
    uid: row.uid,
    name: row.name,
    task: row.task,
    multiLabel: row.multi_label === 1,
    createdAt: row.created_at,
  };
}
