import type { Selectable } from 'kysely';
import { checkName } from '../../accounts/names.js';
import type { Clock } from '../../core/clock.js';
import { ServiceError } from '../../core/service-error.js';
import type { Settings } from '../../core/settings.js';
import { createAccountRows } from '../../storage/account-rows.js';
import { ownedUuid } from '../../storage/blobs/owned-id.js';
import type { Database } from '../../storage/database.js';
import type { Schema } from '../../storage/schema.js';
import type { Dataset } from './dataset.js';

/** The datasets of accounts. One of another account is `not_found`, as one that there is not. */
export type Datasets = ReturnType<typeof createDatasets>;

interface DatasetsDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly limits: Pick<Settings, 'accountMaxDatasets'>;
}

export function createDatasets({ database, clock, limits }: DatasetsDeps) {
  const rows = createDatasetRows({ database, clock });
  return {
    read: rows.read,
    /** The newest first; a position is an id. */
    list: rows.list,

    /** Throws `account_full`. */
    async create(
      accountId: number,
      { name, task, multiLabel }: Pick<Dataset, 'name' | 'task' | 'multiLabel'>,
    ): Promise<Dataset> {
      if (multiLabel && task !== 'classification') {
        throw new ServiceError('wrong_parameters', 'multi_label is for the task classification alone');
      }
      const id = await rows.insert(
        accountId,
        {
          uid: ownedUuid(accountId),
          name: checkName('name', name),
          task,
          multi_label: multiLabel ? 1 : 0,
          deleted_at: null,
        },
        { max: limits.accountMaxDatasets, plural: 'datasets' },
      );
      return rows.read(accountId, id);
    },

    rename: async (accountId: number, id: number, name: string): Promise<Dataset> =>
      rows.update(accountId, id, { name: checkName('name', name) }),
  };
}

export function createDatasetRows(deps: Pick<DatasetsDeps, 'database' | 'clock'>) {
  return createAccountRows({
    ...deps,
    table: 'dataset',
    kind: 'dataset',
    toItem: toDataset,
    notFound: (id) => new ServiceError('not_found', `${id} is not one of your datasets`),
  });
}

function toDataset(row: Selectable<Schema['dataset']>): Dataset {
  return {
    id: row.id,
    uid: row.uid,
    name: row.name,
    task: row.task,
    multiLabel: row.multi_label === 1,
    createdAt: row.created_at,
  };
}
