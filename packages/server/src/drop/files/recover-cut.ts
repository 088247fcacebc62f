import { keepPartial, type ReceiveDeps } from './receive-file.js';

/** A transfer that has just begun may not be known yet. */
const graceMs = 60_000;

type RecoverDeps = Pick<ReceiveDeps, 'database' | 'clock' | 'bytes' | 'receiving'>;

/** Ends transfers that a dead service left. Before anybody may send. Answers how many. */
export async function recoverCut({
  database,
  clock,
  bytes,
}: Omit<RecoverDeps, 'receiving'>): Promise<number> {
  const rows = await database.query
    .selectFrom('drop_file')
    .select('id')
    .where('state', '=', 'receiving')
    .execute();
  for (const { id } of rows) await keepPartial({ database, clock, bytes }, id, await bytes.sizeOf(id));
  return rows.length;
}

/** Ends transfers that are over here, which could not be written down then, as on a full disk. Answers how many. */
export async function recoverAbandoned({ database, clock, bytes, receiving }: RecoverDeps): Promise<number> {
  const rows = await database.query
    .selectFrom('drop_file')
    .select('id')
    .where('state', '=', 'receiving')
    .where('modified_at', '<', clock() - graceMs)
    .execute();
  const left = rows.filter(({ id }) => !receiving.has(id));
  for (const { id } of left) await keepPartial({ database, clock, bytes }, id, await bytes.sizeOf(id));
  return left.length;
}
