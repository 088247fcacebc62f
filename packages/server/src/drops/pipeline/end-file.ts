import { Readable } from 'node:stream';
import { type Compilable, sql } from 'kysely';
import { cutBytes } from '../../delivery/remote-names.js';
import type { JobControl } from '../../jobs/job.js';
import type { Database } from '../../storage/database.js';
import { StorageError } from '../../storage/storage-error.js';
import type { DropArea } from '../../storage/tables/drops.js';
import type { FileBytes } from '../files/file-bytes.js';
import { partId, removeParts } from '../files/file-parts.js';
import { type DropRef, type FileRow, findFile, insertEvent, updateFile } from '../files/file-rows.js';
import { findFreeNumber } from '../files/unique-location.js';
import { outputOf } from './output.js';

/** What a client can name, in bytes; a file that failed has `.txt` behind its name beside it. */
const maxBytes = 255 - '.txt'.length;

export interface EndDeps {
  readonly database: Database;
  readonly clock: () => number;
  readonly bytes: FileBytes;
}

/** Into `done/DAY/`, with its keywords in it. */
export async function endAsDone(
  deps: EndDeps,
  row: FileRow,
  deliveredTo: string | null,
  fence: JobControl['fence'],
): Promise<void> {
  const image = outputOf(row)?.files.find(({ part }) => part === 'image');
  await moveToEnd(deps, row, 'done', (location, now) => [
    updateFile(deps.database, row.id, ['written'], {
      ...location,
      ...cameAs(row),
      state: 'done',
      delivered_to: deliveredTo,
      ended_at: now,
      modified_at: now,
      size_bytes: image?.sizeBytes ?? row.size_bytes,
      failing_since: null,
      error: null,
    }),
    insertEvent(deps.database, row.account_id, {
      fileId: row.id,
      at: now,
      what: 'done',
      detail: deliveredTo,
    }),
    ...fence,
  ]);
  await removeParts(deps.bytes, row.id, [image ? 'image' : 'original']);
}

/** Into `failed/DAY/`, as it came, with a text beside it that says why. */
export async function endAsFailed(
  deps: EndDeps,
  row: FileRow,
  reason: string,
  fence: JobControl['fence'],
): Promise<void> {
  const text = `${row.name}\n\nwas not sent on: ${reason}\n\nReceived ${new Date(row.created_at).toISOString()}, given up ${new Date(deps.clock()).toISOString()}.\nWhen the cause is fixed, retry the file.\n`;
  const reasonId = partId(row.id, 'reason');
  await deps.bytes.put(reasonId, Readable.from([Buffer.from(text)]), fence);
  const hasFailed = await moveToEnd(deps, row, 'failed', (location, now) => [
    // Unless its client took it back meanwhile: then it has not failed, and what follows is not written.
    updateFile(deps.database, row.id, ['arrived', 'predicted', 'written'], {
      ...location,
      ...cameAs(row),
      state: 'failed',
      error: reason,
      ended_at: now,
    }).where('modified_at', '=', row.modified_at),
    insertReason(deps.database, row.id, { id: reasonId, sizeBytes: Buffer.byteLength(text), now }),
    insertFailure(deps.database, row.id, reason, now),
    ...fence,
  ]);
  if (!hasFailed) await deps.bytes.remove(reasonId);
}

function insertReason(
  { query }: Database,
  fileId: string,
  { id, sizeBytes, now }: { readonly id: string; readonly sizeBytes: number; readonly now: number },
): Compilable {
  const at = sql<number>`cast(${now} as bigint)`;
  return query
    .insertInto('drop_file')
    .columns([
      ...(['account_id', 'drop_id', 'area', 'parent', 'state', 'id', 'name', 'size_bytes'] as const),
      ...(['created_at', 'modified_at', 'ended_at'] as const),
    ])
    .expression((from) =>
      from
        .selectFrom('drop_file')
        .select(['account_id', 'drop_id', 'area', 'parent', 'state'])
        .select((row) => [
          row.val(id).as('reason_id'),
          sql<string>`name || '.txt'`.as('reason_name'),
          sql<number>`cast(${sizeBytes} as bigint)`.as('reason_bytes'),
          ...[at.as('created'), at.as('modified'), at.as('ended')],
        ])
        .where('id', '=', fileId)
        .where('state', '=', 'failed'),
    );
}

function insertFailure({ query }: Database, fileId: string, reason: string, now: number): Compilable {
  return query
    .insertInto('drop_event')
    .columns(['account_id', 'file_id', 'at', 'what', 'detail'])
    .expression((from) =>
      from
        .selectFrom('drop_file')
        .select((row) => [
          'account_id',
          'id',
          sql<number>`cast(${now} as bigint)`.as('at'),
          row.val('failed').as('what'),
          row.val(reason).as('detail'),
        ])
        .where('id', '=', fileId)
        .where('state', '=', 'failed'),
    );
}

function cameAs({ parent, name }: FileRow) {
  return { came_parent: parent, came_name: name };
}

interface EndLocation {
  readonly area: DropArea;
  readonly parent: string;
  readonly name: string;
}

/** So often another file may come first under the name that was free. */
const maxAttempts = 100;

/** Under a name that nothing has there: `IMG_1.jpg`, `IMG_1 (2).jpg` and so on. Answers whether the first statement changed it. */
async function moveToEnd(
  { database, clock }: EndDeps,
  row: FileRow,
  area: DropArea,
  statements: (location: EndLocation, now: number) => readonly Compilable[],
): Promise<boolean> {
  const drop: DropRef = { accountId: row.account_id, dropId: row.drop_id };
  for (let attempt = 1; ; attempt += 1) {
    const now = clock();
    const day = { area, parent: new Date(now).toISOString().slice(0, 10) };
    const locationAt = (number: number) => ({ ...day, name: numberedName(row.name, number) });
    const number = await findFreeNumber(async (each) => {
      if ((await findFile(database, drop, locationAt(each))) !== null) return false;
      if (area !== 'failed') return true;
      const reason = { ...day, name: `${locationAt(each).name}.txt` };
      return (await findFile(database, drop, reason)) === null;
    });
    try {
      const [moved] = await database.write(statements(locationAt(number), now));
      return moved?.changes === 1;
    } catch (error) {
      const isTaken = error instanceof StorageError && error.code === 'unique';
      if (!isTaken || attempt === maxAttempts) throw error;
    }
  }
}

/** The n-th name of a file in `done/DAY/` and `failed/DAY/`: as it came, then `IMG_1 (2).jpg`. */
export function numberedName(name: string, number: number): string {
  const ending = /(?<=[^.])\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? '';
  const mark = number === 1 ? '' : ` (${number})`;
  const stem = name.slice(0, name.length - ending.length);
  return `${cutBytes(stem, maxBytes - ending.length - mark.length)}${mark}${ending}`;
}
