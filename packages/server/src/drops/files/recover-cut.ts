import { keepPartial, type ReceiveDeps } from './receive-file.js';

/** A transfer that has just begun may not be known yet. */
const graceMs = 60_000;

type RecoverDeps = Pick<ReceiveDeps, 'database' | 'clock' | 'bytes' | 'receiving' | 'folderUid'>;
type RecoverCutDeps = Omit<RecoverDeps, 'receiving'>;

/** Ends transfers that a dead service left. Before anybody may send. Answers how many. */
export async function recoverCut(deps: RecoverCutDeps): Promise<number> {
  return endAll(deps, await ownTransfers(deps, null));
}

/** Ends transfers that are over here, which could not be written down then, as on a full disk. Answers how many. */
export async function recoverAbandoned(deps: RecoverDeps): Promise<number> {
  const ids = await ownTransfers(deps, deps.clock() - graceMs);
  return endAll(
    deps,
    ids.filter((id) => !deps.receiving.has(id)),
  );
}

async function endAll(deps: RecoverCutDeps, ids: readonly string[]): Promise<number> {
  for (const id of ids) await keepPartial(deps, id, await deps.bytes.sizeOf(id));
  return ids.length;
}

/**
 * Transfers whose bytes came to this data folder, or to one that no service runs on any more. Those of other services on the
 * database are under way, or end when these start: nothing can be known here of their bytes.
 * @param before what was changed earlier; null: all
 */
async function ownTransfers(
  { database: { query }, bytes, folderUid }: RecoverCutDeps,
  before: number | null,
): Promise<readonly string[]> {
  const inUse = query.selectFrom('data_folder').select('uid').where('retired_at', 'is', null);
  const rows = await query
    .selectFrom('drop_file')
    .select(['id', 'folder_uid as folder'])
    .where('state', '=', 'receiving')
    .$if(before !== null, (rest) => rest.where('modified_at', '<', before ?? 0))
    .where((row) =>
      row.or([
        row('folder_uid', 'is', null),
        row('folder_uid', '=', folderUid),
        row('folder_uid', 'not in', inUse),
      ]),
    )
    .execute();
  // From before files knew their folder.
  const unknown = rows.filter(({ folder }) => folder === null);
  const foreign = new Set<string>();
  if (unknown.length > 0 && (await inUse.where('uid', '<>', folderUid).executeTakeFirst()) !== undefined) {
    for (const { id } of unknown) if ((await bytes.sizeOf(id)) === 0) foreign.add(id);
  }
  return rows.map(({ id }) => id).filter((id) => !foreign.has(id));
}
