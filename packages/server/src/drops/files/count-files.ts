import type { Database } from '../../storage/database.js';
import type { DropFileState } from '../../storage/tables/drops.js';
import { photos } from './file-records.js';

/** How many files of a drop are where. */
export interface FileCounts {
  /** On their way in: a transfer is under way or was cut, or the name is a passing one. */
  readonly receiving: number;
  /** Arrived, and not sent on yet. */
  readonly waiting: number;
  readonly failed: number;
  /** Since the day began, UTC. */
  readonly doneToday: number;
}

const dayMs = 86_400_000;
const fieldOf: Readonly<Record<DropFileState, keyof FileCounts>> = {
  receiving: 'receiving',
  partial: 'receiving',
  held: 'receiving',
  arrived: 'waiting',
  predicted: 'waiting',
  written: 'waiting',
  failed: 'failed',
  done: 'doneToday',
};

const countedAtAnyTime: readonly DropFileState[] = [
  ...(['receiving', 'partial', 'held', 'arrived', 'predicted', 'written', 'failed'] as const),
];

/** By id of the drop, for each of these. */
export async function countFiles(
  { query }: Pick<Database, 'query'>,
  accountId: number,
  dropIds: readonly number[],
  nowMs: number,
): Promise<ReadonlyMap<number, FileCounts>> {
  const none: FileCounts = { receiving: 0, waiting: 0, failed: 0, doneToday: 0 };
  const counts = new Map(dropIds.map((id) => [id, none]));
  if (dropIds.length === 0) return counts;
  const rows = await photos(
    query
      .selectFrom('drop_file')
      .select(['drop_id', 'state', (from) => from.fn.countAll<number>().as('count')])
      .where('account_id', '=', accountId)
      .where('drop_id', 'in', dropIds)
      .where(({ or, and, eb }) =>
        // Each by an index: what was done before today is most of all files.
        or([
          eb('state', 'in', countedAtAnyTime),
          and([eb('state', '=', 'done'), eb('ended_at', '>=', Math.floor(nowMs / dayMs) * dayMs)]),
        ]),
      )
      .groupBy(['drop_id', 'state']),
  ).execute();
  for (const { drop_id, state, count } of rows) {
    const of = counts.get(drop_id) ?? none;
    const field = fieldOf[state];
    counts.set(drop_id, { ...of, [field]: of[field] + Number(count) });
  }
  return counts;
}
