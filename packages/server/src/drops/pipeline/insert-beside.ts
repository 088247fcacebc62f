import { type Compilable, sql } from 'kysely';
import type { Database } from '../../storage/database.js';

/** What is shown beside a file that has ended. */
interface Beside {
  /** Of its bytes. */
  readonly id: string;
  readonly name: string;
  /** The file's: in another one, nothing is written. */
  readonly state: 'done' | 'failed';
  readonly sizeBytes: number;
  readonly now: number;
}

/** A row in the folder of a file that has just ended; it is kept for as long as the file. */
export function insertBeside(
  { query }: Database,
  fileId: string,
  { id, name, state, sizeBytes, now }: Beside,
): Compilable {
  const at = sql<number>`cast(${now} as bigint)`;
  return query
    .insertInto('drop_file')
    .columns([
      ...(['account_id', 'drop_id', 'area', 'parent', 'state', 'delivered_to', 'id', 'name'] as const),
      ...(['size_bytes', 'created_at', 'modified_at', 'ended_at'] as const),
    ])
    .expression((from) =>
      from
        .selectFrom('drop_file')
        .select(['account_id', 'drop_id', 'area', 'parent', 'state', 'delivered_to'])
        .select((row) => [
          row.val(id).as('beside_id'),
          row.val(name).as('beside_name'),
          sql<number>`cast(${sizeBytes} as bigint)`.as('beside_bytes'),
          ...[at.as('created'), at.as('modified'), at.as('ended')],
        ])
        .where('id', '=', fileId)
        .where('state', '=', state),
    );
}
