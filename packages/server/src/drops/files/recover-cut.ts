import { type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import { isOfFormer } from '../../storage/leases/lease-owner.js';
import type { Schema } from '../../storage/schema.js';
import { keepPartial } from './keep-partial.js';
import type { ReceiveDeps } from './receive-deps.js';
import type { TransferRow } from './transfer-leases.js';

/** A transfer of this service that is over may still be writing down how it ended. */
const graceMs = 60_000;

type RecoverDeps = Pick<ReceiveDeps, 'database' | 'clock' | 'bytes' | 'transfers' | 'folderUid'>;

/**
 * Ends transfers that nobody receives any more: those of a service that died, and those that are over here and could not be
 * written down then, as on a full disk. Answers how many.
 */
export async function recoverCut(deps: RecoverDeps): Promise<number> {
  const { bytes, transfers } = deps;
  let ended = 0;
  for (const row of await findDead(deps)) {
    // First, so that nobody else writes to it any more.
    const transfer = await transfers.takeOver(row);
    if (transfer === null) continue;
    const lease = transfers.keep(transfer);
    try {
      if (await keepPartial(deps, row.id, lease, await bytes.sizeOf(row.id))) ended += 1;
    } finally {
      lease.end();
    }
  }
  return ended;
}

/**
 * Where the bytes are in data folders, transfers to that of this service: its lock proves that an earlier service on it has ended.
 * Of other folders those that no service runs on any more, when their lease is over; nothing can be known here of the bytes of the
 * rest. Where every service reads the bytes, all of which the lease is over.
 */
async function findDead(deps: RecoverDeps): Promise<readonly TransferRow[]> {
  const { database, bytes, folderUid, transfers } = deps;
  const { query } = database;
  const { owner } = transfers;
  const inUse = query.selectFrom('data_folder').select('uid').where('retired_at', 'is', null);
  const rows = await query
    .selectFrom('drop_file')
    .select(['id', 'folder_uid as folder', 'lease_owner', 'leased_until', 'lease_epoch', 'modified_at'])
    .where('state', '=', 'receiving')
    .where((row) => row.or([isOver(row, database.clock()), isOfFormer(owner, 'lease_owner'), isHere(row)]))
    .where((row) =>
      row.or([
        row('folder_uid', 'is', null),
        isHere(row),
        row('folder_uid', 'not in', inUse),
        // Those of services of before leases are distinguished by their folder alone.
        ...(folderUid === null ? [row('lease_owner', 'is not', null)] : []),
      ]),
    )
    .execute();
  const dead = rows.filter((row) => row.lease_owner !== owner.id || isOwnEnded(deps, row));
  if (folderUid === null) return dead;
  // From before files knew their folder.
  const unknown = dead.filter(({ folder }) => folder === null);
  const foreign = new Set<string>();
  if (unknown.length > 0 && (await inUse.where('uid', '<>', folderUid).executeTakeFirst()) !== undefined) {
    for (const { id } of unknown) if ((await bytes.sizeOf(id)) === 0) foreign.add(id);
  }
  return dead.filter(({ id }) => !foreign.has(id));

  function isHere(row: ExpressionBuilder<Schema, 'drop_file'>) {
    return folderUid === null ? sql<SqlBool>`1 = 0` : row('folder_uid', '=', folderUid);
  }
}

function isOver(row: ExpressionBuilder<Schema, 'drop_file'>, nowMs: number) {
  return row.or([row('leased_until', 'is', null), row('leased_until', '<', nowMs)]);
}

function isOwnEnded(
  { transfers, clock }: RecoverDeps,
  { id, modified_at }: { readonly id: string; readonly modified_at: number },
): boolean {
  return !transfers.isKept(id) && modified_at < clock() - graceMs;
}
