import type { Selectable } from 'kysely';
import { ServiceError } from '../core/service-error.js';
import type { SecretName } from '../delivery/destination-settings.js';
import type { Database } from '../storage/database.js';
import type { SecretBox } from '../storage/secrets/secret-box.js';
import type { DropTable } from '../storage/tables/drops.js';
import { fromRow } from './destination-rows.js';
import type { Drop } from './drop.js';
import { readSettings } from './drop-settings.js';

/** The rows of drops, those that were deleted left out. */
export function createDropRows(database: Pick<Database, 'query' | 'write'>, secretBox: SecretBox) {
  const { query } = database;
  const visible = (accountId: number) =>
    query
      .selectFrom('drop_box')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('deleted_at', 'is', null);

  const readRow = async (accountId: number, id: number): Promise<Selectable<DropTable>> => {
    const row = await visible(accountId).where('id', '=', id).executeTakeFirst();
    if (!row) throw noDrop(id);
    return row;
  };
  const toDrop = (row: Selectable<DropTable>): Drop => {
    const whole = fromRow(row, secretBox, row.uid);
    return {
      id: row.id,
      uid: row.uid,
      name: row.name,
      userName: row.user_name,
      keyId: row.key_id,
      settings: readSettings(row.settings),
      destination: whole?.settings ?? null,
      secretNames: Object.keys(whole?.secrets ?? {}) as SecretName[],
      createdAt: row.created_at,
    };
  };

  /** False: somebody else changed it, or deleted it, since it was read. */
  const update = async (
    accountId: number,
    id: number,
    read: Selectable<DropTable>,
    change: Partial<Selectable<DropTable>>,
  ): Promise<boolean> => {
    const [changed] = await database.write([
      query
        .updateTable('drop_box')
        .set(change)
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
        .where('key_id', '=', read.key_id)
        .where('settings', '=', read.settings)
        .where(({ fn, val }) => fn.coalesce('destination', val('')), '=', read.destination ?? '')
        .where(({ fn, val }) => fn.coalesce('sealed_secrets', val('')), '=', read.sealed_secrets ?? ''),
    ]);
    return changed?.changes === 1;
  };
  return { visible, readRow, toDrop, update };
}

export function noDrop(id: number): ServiceError {
  return new ServiceError('not_found', `${id} is not one of your drops`);
}
