import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { fullScale, type Scale, seedAccount } from '../console-size/seed.js';
import { crashService } from '../crash/crash-service.js';
import { openStorageBesideService } from '../open-storage-beside-service.js';
import { runCommand, type Service, startService } from '../service.js';

export interface CrashedDeletion {
  /** Rows in the receipt at each kill of the service. */
  readonly countedAtCrashes: readonly number[];
  /** Rows by table, before the deletion and in its receipt. */
  readonly before: Readonly<Record<string, number>>;
  readonly receipt: Readonly<Record<string, number>>;
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

/** A text in every row with a free text. */
const marker = 'zebra-crossing-4711';
const counted = ['analysis', 'person', 'face_image', 'dataset_image', 'drop_file'] as const;

/** Deletes a large account while the service is killed, and checks what is left. */
export async function crashDuringDeletion(options: CrashDeletionOptions): Promise<CrashedDeletion> {
  const { crashes, scale = fullScale, report } = options;
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-deletion-'));
  const dataDir = join(dir, 'data');
  const settings = { LYNCEUS_DATA_DIR: dataDir, LYNCEUS_SPOOL_DIR: join(dir, 'spool') };
  const start = () => startService({ ...settings, LYNCEUS_RECOGNITION_PARTS: 'objects' });
  let service: Service = await start();
  const storage = await openStorageBesideService(dataDir);
  try {
    const { query } = storage.database;
    for (const name of [`${marker} doomed`, 'other']) {
      await runCommand(['keys', 'create', '--account', name, '--calls', 'unlimited'], settings);
      const account = await query
        .selectFrom('account')
        .innerJoin('api_key', 'api_key.account_id', 'account.id')
        .select(['account.id as accountId', 'api_key.id as keyId'])
        .where('account.name', '=', name)
        .executeTakeFirstOrThrow();
      await seedAccount(storage.database, account, scale);
    }
    const accounts = await query.selectFrom('account').select(['id', 'name']).execute();
    const idOf = (part: string) => accounts.find(({ name }) => name.includes(part))?.id ?? 0;
    const [doomed, other] = [idOf(marker), idOf('other')];
    await storage.database.write([
      query.updateTable('analysis').set({ summary: marker }).where('account_id', '=', doomed),
      query.updateTable('person').set({ name: marker }).where('account_id', '=', doomed),
    ]);
    const countRows = async (accountId: number) => {
      const counts: Record<string, number> = {};
      for (const table of counted) {
        const { rows } = await sql<{ n: number }>`
          select count(*) as n from ${sql.table(table)} where account_id = ${accountId}`.execute(query);
        counts[table] = Number(rows[0]?.n);
      }
      return counts;
    };
    const sum = (counts: Readonly<Record<string, number>>) =>
      Object.values(counts).reduce((total, count) => total + count, 0);
    const [before, otherBefore] = [await countRows(doomed), sum(await countRows(other))];
    report(`${sum(before)} rows of each of two accounts`);

    const readReceipt = async () => {
      const rows = await query
        .selectFrom('account_deletion_count')
        .select(['kind', 'items'])
        .where('folder_uid', '=', '')
        .execute();
      return Object.fromEntries(rows.map(({ kind, items }) => [kind, Number(items)]));
    };
    const isDone = async () =>
      (await query.selectFrom('account_deletion').select('ended_at').executeTakeFirst())?.ended_at != null;

    const startedAt = performance.now();
    const name = `${marker} doomed`;
    await runCommand(['accounts', 'delete', name, '--yes', name, '--now'], settings);
    const countedAtCrashes: number[] = [];
    for (let crash = 1; crash <= crashes; crash += 1) {
      const due = (sum(before) * crash) / (crashes + 1);
      while (sum(await readReceipt()) < due && !(await isDone())) await sleep(5);
      await crashService(service, 'everything');
      await service.stop();
      countedAtCrashes.push(sum(await readReceipt()));
      report(`killed when ${countedAtCrashes.at(-1)} rows were counted`);
      service = await start();
    }
    let maxLagMs = 0;
    while (!(await isDone())) {
      maxLagMs = Math.max(maxLagMs, await readLagMs(service));
      await sleep(200);
    }
    const totalMs = performance.now() - startedAt;
    const receipt = await readReceipt();
    const others = [otherBefore, sum(await countRows(other))] as const;
    const traces = await findTraces(dataDir);
    return { countedAtCrashes, before, receipt, traces, others, totalMs, maxLagMs };
  } finally {
    await storage.close();
    await service.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

async function readLagMs({ metricsUrl }: Service): Promise<number> {
  const text = await (await fetch(metricsUrl)).text();
  return Number(/^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(text)?.[1] ?? 0) * 1000;
}

async function findTraces(dataDir: string): Promise<readonly string[]> {
  const files = (await readdir(dataDir, { recursive: true, withFileTypes: true })).filter((file) =>
    file.isFile(),
  );
  const found: string[] = [];
  for (const { parentPath, name } of files) {
    const path = join(parentPath, name);
    if (name.includes(marker) || (await readFile(path)).includes(marker)) found.push(path);
  }
  return found;
}
