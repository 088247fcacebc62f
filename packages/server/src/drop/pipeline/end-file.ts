import type { Compilable } from 'kysely';
import type { Database } from '../../storage/database.js';
import { StorageError } from '../../storage/storage-error.js';
import type { DropArea } from '../../storage/tables/drops.js';
import type { FileBytes } from '../files/file-bytes.js';
import { partId, removeParts } from '../files/file-parts.js';
import { type DropRef, type FileRow, findFile, insertEvent, updateFile } from '../files/file-rows.js';
import { outputOf } from './output.js';

export interface EndDeps {
  readonly database: Database;
  readonly clock: () => number;
  readonly bytes: FileBytes;
}

/** Into `done/DAY/`, with its keywords in it. */
export async function endAsDone(deps: EndDeps, row: FileRow, deliveredTo: string | null): Promise<void> {
  const picture = outputOf(row)?.files.find(({ part }) => part === 'picture');
  await moveToEnd(deps, row, 'done', (place, now) => [
    updateFile(deps.database, row.id, ['written'], {
      ...place,
      ...cameAs(row),
      ...{ state: 'done', delivered_to: deliveredTo, ended_at: now, modified_at: now },
      ...{ size_bytes: picture?.sizeBytes ?? row.size_bytes, failing_since: null, error: null },
    }),
    insertEvent(deps.database, row.account_id, {
      fileId: row.id,
      at: now,
      what: 'done',
      detail: deliveredTo,
    }),
  ]);
  await removeParts(deps.bytes, row.id, [picture ? 'picture' : 'original']);
}

/** Into `failed/DAY/`, as it came, with a text beside it that says why. */
export async function endAsFailed(deps: EndDeps, row: FileRow, reason: string): Promise<void> {
  const text = `${row.name}\n\nwas not sent on: ${reason}\n\nReceived ${new Date(row.created_at).toISOString()}, given up ${new Date(deps.clock()).toISOString()}.\nOnce the reason is mended, let it be tried again.\n`;
  const reasonId = partId(row.id, 'reason');
  const file = await deps.bytes.open(reasonId, 0);
  try {
    await file.write(Buffer.from(text));
    await file.sync();
  } finally {
    await file.close();
  }
  await moveToEnd(deps, row, 'failed', (place, now) => [
    updateFile(deps.database, row.id, ['arrived', 'predicted', 'written'], {
      ...place,
      ...cameAs(row),
      ...{ state: 'failed', error: reason, ended_at: now },
    }),
    deps.database.query.insertInto('drop_file').values({
      ...{ id: reasonId, account_id: row.account_id, drop_id: row.drop_id },
      ...{ ...place, name: `${place.name}.txt`, state: 'failed', size_bytes: Buffer.byteLength(text) },
      ...{ created_at: now, modified_at: now, ended_at: now },
    }),
    insertEvent(deps.database, row.account_id, { fileId: row.id, at: now, what: 'failed', detail: reason }),
  ]);
}

function cameAs({ parent, name }: FileRow) {
  return { came_parent: parent, came_name: name };
}

interface EndPlace {
  readonly area: DropArea;
  readonly parent: string;
  readonly name: string;
}

/** Under a name that nothing has there: `IMG_1.jpg`, `IMG_1 (2).jpg` and so on. */
async function moveToEnd(
  { database, clock }: EndDeps,
  row: FileRow,
  area: DropArea,
  statements: (place: EndPlace, now: number) => readonly Compilable[],
): Promise<void> {
  const drop: DropRef = { accountId: row.account_id, dropId: row.drop_id };
  for (let n = 1; ; n += 1) {
    const now = clock();
    const name = n === 1 ? row.name : row.name.replace(/((?<=[^.])\.[A-Za-z0-9]{1,10})?$/, ` (${n})$1`);
    const place = { area, parent: new Date(now).toISOString().slice(0, 10), name };
    if ((await findFile(database, drop, place)) !== null) continue;
    try {
      await database.write(statements(place, now));
      return;
    } catch (error) {
      // Another file came there in between.
      if (!(error instanceof StorageError) || error.code !== 'unique') throw error;
    }
  }
}
