import { EngineError } from '@lynceus/engine';
import type { Compilable } from 'kysely';
import type { Database } from '../../storage/database.js';
import { type FileRow, insertEvent } from '../files/file-rows.js';
import { KeywordError } from '../keywords/keyword-error.js';

/** So often a file may end the process that works on it, or hold it up until that is ended: then it is the file. */
export const maxInterruptions = 3;

const ofEngine: ReadonlySet<string> = new Set(['process-crashed', 'memory', 'timeout']);
const ofExiftool: ReadonlySet<string> = new Set(['interrupted', 'timed-out']);

/** Whether the process that worked on a file was lost, or took too long. */
export function isInterruption(error: unknown): boolean {
  if (error instanceof KeywordError) return ofExiftool.has(error.code);
  const cause = error instanceof Error ? error.cause : undefined;
  return [error, cause].some((each) => each instanceof EngineError && ofEngine.has(each.code));
}

/** Since the file came, or was last let be tried again. */
export async function countInterruptions(
  { query }: Pick<Database, 'query'>,
  fileId: string,
): Promise<number> {
  const events = await query
    .selectFrom('drop_event')
    .select(['what', 'at'])
    .where('file_id', '=', fileId)
    .where('what', 'in', [what, 'retried'])
    .execute();
  const since = Math.max(0, ...events.filter((event) => event.what === 'retried').map(({ at }) => at));
  return events.filter((event) => event.what === what && event.at >= since).length;
}

const what = 'interrupted';

export function insertInterruption(
  database: Pick<Database, 'query'>,
  { id, account_id }: FileRow,
  at: number,
  detail: string,
): Compilable {
  return insertEvent(database, account_id, { fileId: id, at, what, detail });
}
