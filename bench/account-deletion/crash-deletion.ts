import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { dataFolder } from '#server/storage/data-folder.js';
import type { Database } from '#server/storage/database.js';
import { fullScale, type Scale, seedAccount } from '../console-size/seed.js';
import { runCommandHere } from '../in-this-process.js';
import { type Lives, withLives } from '../kill/lives.js';
import { untilTrue } from '../kill/until.js';
import { openStorageBesideService } from '../open-storage-beside-service.js';
import { type Service, startWithoutModels } from '../service.js';

export interface CrashedDeletion {
  /** Rows in the receipt at each kill of the service. */
  readonly countedAtCrashes: readonly number[];
  /** Rows by table, before the deletion and in its receipt. */
  readonly before: RowCounts;
  readonly receipt: RowCounts;
  /** Files below the data folder that still have data of the account. */
  readonly traces: readonly string[];
  /** Rows of another account, before and after. */
  readonly others: readonly [number, number];
  /** From the request to the receipt, including the times between kills and starts. */
  readonly totalMs: number;
  /** Longest block of the event loop during the deletion of rows, after the last start. */
  readonly maxLagMs: number;
}

export interface CrashDeletionOptions {
  readonly crashes: number;
  /** Of the account; the scale of the console's benchmark unless given. */
  readonly scale?: Scale;
  readonly report: (line: string) => void;
}

type RowCounts = Readonly<Record<string, number>>;

/** A text in every row with a free text, and in the name of the account. */
const marker = 'zebra-crossing-4711';
const doomedName = `${marker} doomed`;
const counted = ['analysis', 'person', 'face_image', 'dataset_image', 'drop_file'] as const;
const deletedWithinMs = 1_800_000;

/** Deletes a large account while the service is killed, and checks what is left. */
export function crashDuringDeletion(options: CrashDeletionOptions): Promise<CrashedDeletion> {
  return withLives({}, (lives) => deleteInLives(lives, options), startWithoutModels);
}

async function deleteInLives(
  lives: Lives,
  { crashes, scale = fullScale, report }: CrashDeletionOptions,
): Promise<CrashedDeletion> {
  const storage = await openStorageBesideService(lives.dataDir);
  try {
    const { database } = storage;
    const doomed = await fillAccount(lives, database, doomedName, scale);
    const other = await fillAccount(lives, database, 'other', scale);
    await database.write([
      database.query.updateTable('analysis').set({ summary: marker }).where('account_id', '=', doomed),
      database.query.updateTable('person').set({ name: marker }).where('account_id', '=', doomed),
    ]);
    const before = await countRows(database, doomed);
    const othersBefore = sumOf(await countRows(database, other));
    report(`${sumOf(before)} rows of each of two accounts`);

    const startedAt = performance.now();
    await runCommandHere(['accounts', 'delete', doomedName, '--yes', doomedName, '--now'], lives.settings);
    const countedAtCrashes: number[] = [];
    const isWritten = watchWrites(lives.dataDir);
    for (let crash = 1; crash <= crashes; crash += 1) {
      const due = (sumOf(before) * crash) / (crashes + 1);
      const isDue = async () =>
        (await isWritten()) && (sumOf(await readReceipt(database)) >= due || (await isDone(database)));
      await untilTrue(isDue, deletedWithinMs, 20);
      const { left } = await lives.crash('everything', async () => sumOf(await readReceipt(database)));
      countedAtCrashes.push(left);
      report(`killed when ${left} rows were counted`);
    }
    let maxLagMs = 0;
    while (!(await isDone(database))) {
      maxLagMs = Math.max(maxLagMs, await readLagMs(lives.service));
      await sleep(1000);
    }
    return {
      ...{ countedAtCrashes, before, maxLagMs, totalMs: performance.now() - startedAt },
      receipt: await readReceipt(database),
      others: [othersBefore, sumOf(await countRows(database, other))],
      traces: await findTraces(lives.dataDir),
    };
  } finally {
    await storage.close();
  }
}

/** Makes an account with rows in every table; returns its id. */
async function fillAccount(
  { settings }: Lives,
  database: Database,
  name: string,
  scale: Scale,
): Promise<number> {
  await runCommandHere(['keys', 'create', '--account', name, '--calls', 'unlimited'], settings);
  const account = await database.query
    .selectFrom('account')
    .innerJoin('api_key', 'api_key.account_id', 'account.id')
    .select(['account.id as accountId', 'api_key.id as keyId'])
    .where('account.name', '=', name)
    .executeTakeFirstOrThrow();
  await seedAccount(database, account, scale);
  return account.accountId;
}

async function countRows({ query }: Database, accountId: number): Promise<RowCounts> {
  const counts: Record<string, number> = {};
  for (const table of counted) {
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from ${sql.table(table)} where account_id = ${accountId}`.execute(query);
    counts[table] = Number(rows[0]?.n);
  }
  return counts;
}

async function readReceipt({ query }: Database): Promise<RowCounts> {
  const rows = await query
    .selectFrom('account_deletion_count')
    .select(['kind', 'items'])
    .where('folder_uid', '=', '')
    .execute();
  return Object.fromEntries(rows.map(({ kind, items }) => [kind, Number(items)]));
}

async function isDone({ query }: Database): Promise<boolean> {
  return (await query.selectFrom('account_deletion').select('ended_at').executeTakeFirst())?.ended_at != null;
}

/** Whether the database was written to since it was asked last: a deletion is resumed after a minute. On PostgreSQL, always true. */
function watchWrites(dataDir: string): () => Promise<boolean> {
  const log = `${dataFolder(dataDir).databasePath}-wal`;
  let last: number | null = null;
  return async () => {
    const at = (await stat(log).catch(() => null))?.mtimeMs ?? null;
    const isChanged = at === null || at !== last;
    last = at;
    return isChanged;
  };
}

function sumOf(counts: RowCounts): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

async function readLagMs({ metricsUrl }: Service): Promise<number> {
  const text = await (await fetch(metricsUrl)).text();
  return Number(/^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(text)?.[1] ?? 0) * 1000;
}

async function findTraces(dataDir: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const file of await readdir(dataDir, { recursive: true, withFileTypes: true })) {
    const path = join(file.parentPath, file.name);
    if (file.isFile() && (file.name.includes(marker) || (await readFile(path)).includes(marker)))
      found.push(path);
  }
  return found;
}
