import type { Selectable } from 'kysely';
import type { Clock } from '../core/clock.js';
import { ServiceError } from '../core/service-error.js';
import { createAccountRows } from '../storage/account-rows.js';
import type { Database } from '../storage/database.js';
import type { Schema } from '../storage/schema.js';
import { readShownSource } from './source-rows.js';
import type { Stream } from './stream.js';
import { readStreamSettings } from './stream-settings.js';

export function createStreamRows(deps: {
  readonly database: Pick<Database, 'query' | 'write'>;
  readonly clock: Clock;
}) {
  return createAccountRows({
    ...deps,
    table: 'stream',
    kind: 'stream',
    toItem: (row) => row,
    notFound: (id) => new ServiceError('not_found', `${id} is not one of your streams`),
  });
}

/** What a run of a stream depends on; its name, for example, is not of it. */
const ofRun = ['source', 'sealed_secrets', 'settings', 'is_enabled'] as const;

/**
 * Counts its revision up where it is to run differently, which ends a run. Returns false when the stream was changed so or deleted
 * since the row was read.
 */
export async function updateUnchanged(
  database: Pick<Database, 'query' | 'write'>,
  read: Selectable<Schema['stream']>,
  change: Partial<Selectable<Schema['stream']>>,
): Promise<boolean> {
  const isOther = ofRun.some((column) => change[column] !== undefined && change[column] !== read[column]);
  const [changed] = await database.write([
    database.query
      .updateTable('stream')
      .set({ ...change, revision: read.revision + (isOther ? 1 : 0) })
      .where('account_id', '=', read.account_id)
      .where('id', '=', read.id)
      .where('deleted_at', 'is', null)
      .where('revision', '=', read.revision)
      // Sealed again meanwhile, by another key.
      .where(({ fn, val }) => fn.coalesce('sealed_secrets', val('')), '=', read.sealed_secrets ?? ''),
  ]);
  return changed?.changes === 1;
}

export function toStream(row: Selectable<Schema['stream']>): Stream {
  return {
    id: row.id,
    uid: row.uid,
    name: row.name,
    isEnabled: row.is_enabled === 1,
    source: readShownSource(row),
    settings: readStreamSettings(row.settings),
    revision: row.revision,
    createdAt: row.created_at,
  };
}
