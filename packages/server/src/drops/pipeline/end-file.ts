import { Readable } from 'node:stream';
import { type Compilable, sql } from 'kysely';
import { cutBytes } from '../../delivery/remote-names.js';
import type { JobControl } from '../../service/jobs/job.js';
import type { Database } from '../../storage/database.js';
import { StorageError } from '../../storage/storage-error.js';
import type { DropArea } from '../../storage/tables/drops.js';
import type { FileBytes } from '../files/file-bytes.js';
import { partId, removeParts } from '../files/file-parts.js';
import { type DropRef, type FileRow, findFile, insertEvent, updateFile } from '../files/file-rows.js';
import { findFreeNumber } from '../files/unique-location.js';
import { insertBeside } from './insert-beside.js';
import { outputOf, sidecarNameOf } from './output.js';

/** What a client can name, in bytes; a file that failed has `.txt` behind its name beside it. */
const maxBytes = 255 - '.txt'.length;

interface EndDeps {
  readonly database: Database;
  readonly clock: () => number;
  readonly bytes: FileBytes;
}

/** Into `done/DAY/`, with its keywords in it, and beside it its sidecar where it has one. */
export async function endAsDone(
  deps: EndDeps,
  row: FileRow,
  deliveredTo: string | null,
  fence: JobControl['fence'],
): Promise<void> {
  const output = outputOf(row);
  const image = output?.files.find(({ part }) => part === 'image');
  const sidecar = output?.files.find(({ part }) => part === 'sidecar');
  const besideName = sidecar && ((name: string) => sidecarNameOf(output, name));
  await moveToEnd(deps, row, { area: 'done', besideName }, (location, now) => [
    updateFile(deps.database, row.id, ['written'], {
      ...location,
      ...cameAs(row),
      state: 'done',
      delivered_to: deliveredTo,
      ended_at: now,
      modified_at: now,
      size_bytes: image?.sizeBytes ?? row.size_bytes,
      failing_since: null,
      error: output?.reason ?? null,
    }),
    ...(sidecar
      ? [
          insertBeside(deps.database, row.id, {
            ...{
              id: partId(row.id, 'sidecar'),
              name: sidecarNameOf(output, location.name),
              state: 'done',
              now,
            },
            sizeBytes: sidecar.sizeBytes,
          } as const),
        ]
      : []),
    insertEvent(deps.database, row.account_id, {
      fileId: row.id,
      at: now,
      what: 'done',
      detail: deliveredTo,
    }),
    ...fence,
  ]);
  await removeParts(deps.bytes, row.id, [
    image ? 'image' : 'original',
    ...(sidecar ? (['sidecar'] as const) : []),
  ]);
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
  const sizeBytes = Buffer.byteLength(text);
  const besideName = reasonName;
  const hasFailed = await moveToEnd(deps, row, { area: 'failed', besideName }, (location, now) => [
    // Unless its client took it back meanwhile: then it has not failed, and what follows is not written.
    updateFile(deps.database, row.id, ['arrived', 'predicted', 'written'], {
      ...location,
      ...cameAs(row),
      state: 'failed',
      error: reason,
      ended_at: now,
    }).where('modified_at', '=', row.modified_at),
    insertBeside(deps.database, row.id, {
      ...{ id: reasonId, name: reasonName(location.name), state: 'failed', sizeBytes, now },
    } as const),
    insertFailure(deps.database, row.id, reason, now),
    ...fence,
  ]);
  if (!hasFailed) await deps.bytes.remove(reasonId);
}

function reasonName(name: string): string {
  return `${name}.txt`;
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

interface End {
  readonly area: DropArea;
  /** The name of what is shown beside a file of this name; undefined where nothing is. */
  readonly besideName: ((name: string) => string) | undefined;
}

/** Under a name that nothing has there: `IMG_1.jpg`, `IMG_1 (2).jpg` and so on. Answers whether the first statement changed it. */
async function moveToEnd(
  { database, clock }: EndDeps,
  row: FileRow,
  { area, besideName }: End,
  statements: (location: EndLocation, now: number) => readonly Compilable[],
): Promise<boolean> {
  const drop: DropRef = { accountId: row.account_id, dropId: row.drop_id };
  for (let attempt = 1; ; attempt += 1) {
    const now = clock();
    const day = { area, parent: new Date(now).toISOString().slice(0, 10) };
    const locationAt = (number: number) => ({ ...day, name: numberedName(row.name, number) });
    const number = await findFreeNumber(async (each) => {
      if ((await findFile(database, drop, locationAt(each))) !== null) return false;
      if (besideName === undefined) return true;
      const beside = { ...day, name: besideName(locationAt(each).name) };
      return (await findFile(database, drop, beside)) === null;
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
