import { randomUUID } from 'node:crypto';
import { checkName } from '../accounts/names.js';
import type { Clock } from '../core/clock.js';
import { ServiceError } from '../core/service-error.js';
import type { Settings } from '../core/settings.js';
import { countUp, lastId } from '../storage/count-up.js';
import type { Database } from '../storage/database.js';
import { type Page, type PageRequest, toPage } from '../storage/page.js';
import { refuseWhenFull, whileFewer } from '../storage/within-limit.js';
import type { Model } from './model.js';
import { noModel, toModel } from './model-rows.js';

const maxLength = 2000;

/** The models of accounts. One of another account is `not_found`, as one that there is not. */
export interface Models {
  /** Throws `account_full`. */
  create(accountId: number, wanted: Pick<Model, 'name' | 'description' | 'task'>): Promise<Model>;
  /** The newest first; a position is an id. */
  list(accountId: number, page: PageRequest<number>): Promise<Page<Model, number>>;
  /** By number or UID; null when there is none. */
  find(accountId: number, reference: string): Promise<Model | null>;
  read(accountId: number, id: number): Promise<Model>;
  change(accountId: number, id: number, change: Partial<Pick<Model, 'name' | 'description'>>): Promise<Model>;
}

export function createModels({
  database,
  clock,
  limits: { accountMaxModels: maxModels },
}: {
  readonly database: Database;
  readonly clock: Clock;
  readonly limits: Pick<Settings, 'accountMaxModels'>;
}): Models {
  const { query } = database;
  const visible = (accountId: number) =>
    query.selectFrom('model').selectAll().where('account_id', '=', accountId).where('deleted_at', 'is', null);

  const read = async (accountId: number, id: number): Promise<Model> => {
    const row = await visible(accountId).where('id', '=', id).executeTakeFirst();
    if (!row) throw noModel(id);
    return toModel(row);
  };

  return {
    read,

    async create(accountId, { name, description, task }) {
      const rows = query
        .selectFrom('model')
        .select(({ fn }) => fn.countAll().as('count'))
        .where('account_id', '=', accountId)
        .where('deleted_at', 'is', null);
      const unit = database.write([
        countUp(database, accountId, 'model'),
        query
          .insertInto('model')
          .values({
            account_id: accountId,
            id: whileFewer(lastId(accountId, 'model'), rows, maxModels),
            uid: randomUUID(),
            name: checkName('name', name),
            description: checkDescription(description),
            task,
            dataset_id: null,
            version: null,
            created_at: clock(),
            deleted_at: null,
          })
          .returning('id'),
      ]);
      const [, made] = await refuseWhenFull(
        unit,
        `an account has ${maxModels} models at most: delete one first`,
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
      return toPage(found.map(toModel), limit, ({ id }) => id);
    },

    async find(accountId, reference) {
      const wanted = reference.trim();
      const id = /^[0-9]{1,15}$/.test(wanted) ? Number(wanted) : 0;
      // A NUL, which a bind refuses, is in no UID.
      if (id === 0 && !/^[0-9a-f-]{36}$/.test(wanted)) return null;
      const row = await visible(accountId)
        .where((is) => (id > 0 ? is('id', '=', id) : is('uid', '=', wanted)))
        .executeTakeFirst();
      return row ? toModel(row) : null;
    },

    async change(accountId, id, { name, description }) {
      const [updated] = await database.write([
        query
          .updateTable('model')
          // To itself, since an UPDATE needs a column.
          .set((row) => ({
            id: row.ref('id'),
            ...(name === undefined ? {} : { name: checkName('name', name) }),
            ...(description === undefined ? {} : { description: checkDescription(description) }),
          }))
          .where('account_id', '=', accountId)
          .where('id', '=', id)
          .where('deleted_at', 'is', null),
      ]);
      if (updated?.changes !== 1) throw noModel(id);
      return read(accountId, id);
    },
  };
}

/** Trimmed, at most 2000 characters; line breaks and tabs may be in it. Throws `wrong_parameters`. */
function checkDescription(text: string): string {
  const description = text.trim();
  const isPlain = !/\p{Cc}|\p{Cs}/u.test(description.replaceAll(/[\n\r\t]/g, ''));
  if (isPlain && [...description].length <= maxLength) return description;
  throw new ServiceError(
    'wrong_parameters',
    `description must have at most ${maxLength} characters, control characters other than line breaks and tabs not among them`,
  );
}
