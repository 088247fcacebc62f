import type { Selectable } from 'kysely';
import type { Clock } from '../core/clock.js';
import { ServiceError } from '../core/service-error.js';
import type { SecretName } from '../delivery/destination-settings.js';
import { createAccountRows } from '../storage/account-rows.js';
import type { Database } from '../storage/database.js';
import type { Schema } from '../storage/schema.js';
import type { SecretBox } from '../storage/secrets/secret-box.js';
import { fromRow } from './destination-rows.js';
import type { Drop } from './drop.js';
import { readSettings } from './drop-settings.js';

export function createDropRows(deps: { readonly database: Database; readonly clock: Clock }) {
  return createAccountRows({
    ...deps,
    table: 'drop_box',
    kind: 'drop',
    toItem: (row) => row,
    notFound: (id) => new ServiceError('not_found', `${id} is not one of your drops`),
  });
}

/** Returns false when the drop was changed or deleted since the row was read. */
export async function updateUnchanged(
  database: Pick<Database, 'query' | 'write'>,
  read: Selectable<Schema['drop_box']>,
  change: Partial<Selectable<Schema['drop_box']>>,
): Promise<boolean> {
  const [changed] = await database.write([
    database.query
      .updateTable('drop_box')
      .set(change)
      .where('account_id', '=', read.account_id)
      .where('id', '=', read.id)
      .where('deleted_at', 'is', null)
      .where('key_id', '=', read.key_id)
      .where('settings', '=', read.settings)
      .where(({ fn, val }) => fn.coalesce('destination', val('')), '=', read.destination ?? '')
      .where(({ fn, val }) => fn.coalesce('sealed_secrets', val('')), '=', read.sealed_secrets ?? ''),
  ]);
  return changed?.changes === 1;
}

export function toDrop(row: Selectable<Schema['drop_box']>, secretBox: SecretBox): Drop {
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
}
