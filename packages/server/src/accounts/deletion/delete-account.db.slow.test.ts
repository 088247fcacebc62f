import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { datasetCalls } from '../../http/api/datasets/fixtures/dataset-calls.js';
import { callApi } from '../../http/api/fixtures/call-api.js';
import { faceCalls } from '../../http/api/perceptions/fixtures/face-calls.js';
import { fillAccount, type Ids, pathsOf } from '../../http/fixtures/account-facts.js';
import { upload } from '../../http/fixtures/ask.js';
import { enterAs, enterAsAdministrator, goodPassword, openBrowser } from '../../http/fixtures/browser.js';
import { callV1 } from '../../http/fixtures/call-v1.js';
import {
  imageBytes,
  multipart,
  startTestService,
  type TestService,
} from '../../http/fixtures/test-service.js';
import { ownedUuid } from '../../storage/blobs/owned-id.js';
import { openQuarantine } from '../../storage/quarantine/quarantine.js';
import { openConnection } from '../../storage/sqlite/connection.js';
import { keptTables, ownedRows } from './owned-rows.js';

const operator = { kind: 'operator', id: null, name: 'operator', address: null } as const;
const marker = 'zebra-crossing-4711';
const timeout = 120_000;

let service: TestService;
let doomed: { readonly key: string; readonly accountId: number; readonly ids: Ids };
let kept: { readonly key: string; readonly ids: Ids };

describe('an account that is deleted', { timeout }, () => {
  beforeAll(async () => {
    service = await startTestService({ keepImages: true });
    await enterAsAdministrator(service);
    const { key, accountId } = await service.makeKey(`${marker}-account`);
    kept = { key: service.key, ids: await fillAccount(service, service.key, 0) };
    doomed = { key, accountId, ids: await fillAccount(service, key, 120) };
    await fillWithMarkers();
  }, timeout);
  afterAll(() => service.stop());

  test('leaves nothing in the database, the folders and the quarantine, and takes nothing of another', async () => {
    const { accountId } = doomed;
    await putOrphansInQuarantine(accountId);
    await keepFeatures(doomed.ids.datasetUid);
    const traces = await readTraces(accountId);
    expect(traces.length).toBeGreaterThan(50);
    const others = await readOthers();
    expect(await findTraces([marker, ...traces])).not.toEqual([]);

    await requestDeletion(accountId, `${marker}-account`);
    await ended(accountId);

    expect(await rowsLeft(accountId)).toEqual([]);
    expect(await readOthers()).toEqual(others);
    // What SQLite deletes it overwrites; what PostgreSQL does is not ours, so there its rows are searched.
    expect(await findTraces([marker, ...traces])).toEqual([]);
    await vacuum();
    expect(await findTraces([marker, ...traces])).toEqual([]);

    const receipt = await service.users.accountDeletions.read(accountId);
    expect(receipt).toMatchObject({
      accountId,
      state: 'done',
      waitsFor: null,
      foldersLeft: [],
      askedBy: { kind: 'operator', id: null },
    });
    const rows = Object.fromEntries(receipt.rows.map(({ kind, items }) => [kind, items]));
    for (const kind of [
      'api_key',
      'web_user',
      'perception',
      'face_image',
      'dataset_image',
      'model_version',
      'drop_file',
      'analysis',
      'usage',
      'audit_entry',
      'job',
    ]) {
      expect([kind, (rows[kind] ?? 0) > 0]).toEqual([kind, true]);
    }
    const files = Object.fromEntries(receipt.files.map(({ kind, items }) => [kind, items]));
    for (const kind of [
      'drops',
      'images',
      'faces',
      'datasets',
      'imports',
      'models',
      'features',
      'drafts',
      'quarantine',
    ]) {
      expect([kind, (files[kind] ?? 0) > 0]).toEqual([kind, true]);
    }
    expect(service.logged('a job failed; it is tried again if that may help')).toEqual([]);
  });
});

describe('a closed account', { timeout }, () => {
  beforeEach(async () => {
    service = await startTestService({ keepImages: true });
  }, timeout);
  afterEach(() => service.stop());

  test('is refused as with an unknown key, by session, link, sign-in and FTP, and opens again', async () => {
    await enterAsAdministrator(service);
    const { key, accountId } = await service.makeKey('shop');
    const ids = await fillAccount(service, key, 0);
    const owner = await enterAs(service, accountId, 'owner', 'owner@example.com');
    const { link } = (
      await owner.call('/api/invitations', {
        method: 'POST',
        body: { email: 'late@example.com', role: 'reader' },
      })
    ).json;
    const drop = await service.database.query
      .selectFrom('drop_box')
      .select('user_name')
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    const { key: dropKey } = (await callApi(service, `/api/drops/${ids.dropId}/key`, { method: 'POST', key }))
      .json;
    const ways = async () => {
      const guest = openBrowser(service);
      const signIn = await guest.call('/api/session', {
        method: 'POST',
        body: { email: 'owner@example.com', password: goodPassword },
      });
      const looked = await guest.call('/api/links', {
        method: 'POST',
        body: { token: String(link).split('#')[1] },
      });
      const v1 = await callV1(service, '/predict/image', {
        key,
        sent: upload,
      });
      return {
        v1: [v1.status, v1.json.error?.message ?? v1.json.message ?? null],
        api: (await callApi(service, '/api/account', { key })).status,
        session: (await owner.call('/api/session')).status,
        signIn: [signIn.status, signIn.json.code ?? null],
        link: looked.status,
        image: (await fetch(`${service.base}/face-images/${ids.token}`)).status,
        ftp:
          (await service.dropStore.logIn({ userName: drop.user_name, password: dropKey, host: null })) !==
          null,
      };
    };
    const open = await ways();
    expect(open).toMatchObject({ api: 200, session: 200, signIn: [201, null], image: 200, ftp: true });

    const { state, askedAt, dueAt } = await service.users.accountDeletions.request(operator, {
      accountId,
      name: 'shop',
    });
    expect([state, dueAt - askedAt]).toEqual(['scheduled', 72 * 3_600_000]);
    // A key is taken from memory for a second.
    await expect.poll(async () => (await ways()).v1[0], { timeout: 30_000 }).toBe(401);
    expect(await ways()).toMatchObject({
      api: 401,
      session: 401,
      signIn: [403, 'not_allowed'],
      link: 404,
      image: 404,
      ftp: false,
    });

    await service.users.accountDeletions.cancel(operator, accountId);
    // Sessions have ended for good.
    expect(await ways()).toEqual({ ...open, session: 401 });
    for (const path of pathsOf(ids)) {
      const { status } = await fetch(`${service.base}${path}`, { headers: { 'x-api-key': key } });
      expect([path, status]).toEqual([path, 200]);
    }
    await expect(service.users.accountDeletions.cancel(operator, accountId)).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  test('is deleted when its time has come, by its name alone, and not with the last administrator', async () => {
    const admin = await enterAsAdministrator(service);
    const { accountId } = await service.makeKey('shop');
    const { request, cancel } = service.users.accountDeletions;
    await expect(request(operator, { accountId, name: 'Shop' })).rejects.toMatchObject({
      code: 'wrong_parameters',
    });
    await expect(request(operator, { accountId: 9999, name: 'shop' })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(request(operator, { accountId: service.accountId, name: 'first' })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect((await admin.call('/api/session')).status).toBe(200);
    await request(operator, { accountId, name: 'shop', delayMs: 3_600_000 });
    await service.accountDeletions.wake();
    expect((await service.users.accountDeletions.read(accountId)).state).toBe('scheduled');
    await request(operator, { accountId, name: 'shop', delayMs: 0 });
    await ended(accountId);
    await expect(cancel(operator, accountId)).rejects.toMatchObject({ code: 'conflict' });
    // Its id is never given again.
    expect((await service.makeKey('shop')).accountId).toBeGreaterThan(accountId);
  });
});

test('every table that leads to an account is deleted with it, or named with a reason', async () => {
  const tested = await startTestService();
  try {
    const tables = await tablesWithColumns(tested);
    const references = new Set(ownedRows.map(({ table }) => String(table)));
    const reasoned = new Set(Object.keys(keptTables));
    const unhandled = tables
      .filter(({ table }) => !references.has(table) && !reasoned.has(table))
      .map(({ table }) => table);
    expect(unhandled).toEqual([]);
    const known = new Set(tables.map(({ table }) => table));
    expect([...references, ...reasoned].filter((table) => !known.has(table))).toEqual([]);
    // And whatever says account or user in a column is of one of them.
    const suspicious = tables.filter(
      ({ table, columns }) => columns.some((column) => /account|user/.test(column)) && !references.has(table),
    );
    expect(suspicious.map(({ table }) => table).sort()).toEqual(['account_deletion']);
  } finally {
    await tested.stop();
  }
});

async function tablesWithColumns({ database: { query } }: TestService) {
  const { rows } = inject('postgres')
    ? await sql<{ table: string; column: string }>`
        select table_name as "table", column_name as "column" from information_schema.columns
        where table_schema = current_schema()`.execute(query)
    : await sql<{ table: string; column: string }>`
        select m.name as "table", c.name as "column" from sqlite_master m join pragma_table_info(m.name) c
        where m.type = 'table' and m.name not like 'sqlite_%'`.execute(query);
  const byTable = new Map<string, string[]>();
  for (const { table, column } of rows) {
    if (table.startsWith('kysely_')) continue;
    byTable.set(table, [...(byTable.get(table) ?? []), column]);
  }
  return [...byTable].map(([table, columns]) => ({ table, columns }));
}

/** Names, contents and labels that nothing else has. */
async function fillWithMarkers(): Promise<void> {
  const { key, accountId } = doomed;
  const api = faceCalls(service, key);
  const content = Buffer.concat([imageBytes(100), Buffer.from(marker)]);
  const { model_id: perceptionId } = (await api.post('/api/perceptions', { name: `${marker} staff` })).json;
  const person = await api.post(`/api/perceptions/${perceptionId}/people`, { name: `${marker} person` });
  expect(person.status).toBe(201);
  for (const path of ['/predict/image', '/predict/object_detection?model_id=coco-fast']) {
    await callV1(service, path, { key, sent: multipart([{ name: 'image', fileName: 'a.jpg', content }]) });
  }
  const datasets = datasetCalls(service, key);
  const dataset = (await datasets.post('/api/datasets', { name: `${marker} set`, task: 'classification' }))
    .json;
  await datasets.fill(dataset.id, `${marker} label`, 2);
  await enterAs(service, accountId, 'owner', `${marker}@example.com`);
  // A draft, a zip that was never imported, images that no row names, a file being received.
  const draft = await service.customModels.versions.draft(accountId);
  await mkdir(draft);
  await writeFile(join(draft, 'model.onnx'), marker);
  const own = () => ownedUuid(accountId);
  const bytes = () => Readable.from([content]);
  await service.imports.write(own(), bytes());
  await service.imageFiles.write(own().replaceAll('-', ''), bytes());
  await service.faces.imageFiles.write(own(), bytes());
  await service.datasets.blobs.write(own(), bytes());
  const drop = await service.database.query
    .selectFrom('drop_box')
    .select(['id', 'user_name'])
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  const { key: dropKey } = (await callApi(service, `/api/drops/${drop.id}/key`, { method: 'POST', key }))
    .json;
  const session = await service.dropStore.logIn({ userName: drop.user_name, password: dropKey, host: null });
  const transfer = await session?.folders.receive(['incoming', `${marker}.jpg`], { at: 'begin' });
  await transfer?.write(content);
}

/** As a training leaves them. */
async function keepFeatures(datasetUid: string): Promise<void> {
  const folder = await service.customModels.features.use(datasetUid);
  await writeFile(join(folder, 'a'), marker);
}

/** As a restored database leaves them: the sweep moved them by the owner in their ids. */
async function putOrphansInQuarantine(accountId: number): Promise<void> {
  const stores = [service.imageFiles, service.faces.imageFiles, service.datasets.blobs, service.imports];
  for (const store of stores) {
    const id = ownedUuid(accountId);
    await store.write(id, Readable.from([Buffer.from(`${marker} orphan`)]));
    await utimes(store.pathOf(id), 1, 1);
  }
  await service.sweeps.runAll();
  const { stores: states } = await service.sweeps.state();
  for (const { name, blocked } of states) if (blocked) await service.sweeps.confirm(name, blocked.orphans);
  await service.sweeps.runAll();
  const quarantine = openQuarantine(service.folder.quarantineDir);
  const owners: (number | null)[] = [];
  for await (const item of quarantine.list()) owners.push(item.accountId);
  expect(owners).toEqual([accountId, accountId, accountId, accountId]);
}

/** Texts of the account's rows that no other row has: names, ids, hashes, addresses. */
async function readTraces(accountId: number): Promise<readonly string[]> {
  const { query } = service.database;
  const texts = (rows: readonly object[]) =>
    rows.flatMap((row) =>
      Object.values(row).filter((value): value is string => typeof value === 'string' && value.length >= 12),
    );
  const [own, foreign] = [new Set<string>(), new Set<string>()];
  for (const { table, condition } of ownedRows) {
    const rows = await sql<object>`select * from ${sql.table(table)} where ${condition(accountId)}`.execute(
      query,
    );
    const rest =
      await sql<object>`select * from ${sql.table(table)} where not ${condition(accountId)}`.execute(query);
    for (const text of texts(rows.rows)) own.add(text);
    for (const text of texts(rest.rows)) foreign.add(text);
  }
  const common = [...foreign].join('\n');
  return [...own].filter((text) => !common.includes(text));
}

/** Where any of these texts stands: in rows, and in the bytes and names of all files of the service. */
async function findTraces(traces: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  const patterns = traces.map((text) => Buffer.from(text));
  const look = async (dir: string): Promise<void> => {
    for (const entry of await readdir(dir, { withFileTypes: true })) {
      const path = join(dir, entry.name);
      if (traces.some((text) => entry.name.includes(text))) found.push(path);
      if (entry.isDirectory()) await look(path);
      if (!entry.isFile()) continue;
      const bytes = await readFile(path);
      for (const pattern of patterns) if (bytes.includes(pattern)) found.push(`${path}: ${pattern}`);
    }
  };
  await look(service.folder.dir);
  for (const { table } of await tablesWithColumns(service)) {
    const { rows } = await sql<object>`select * from ${sql.table(table)}`.execute(service.database.query);
    const text = JSON.stringify(rows);
    for (const trace of traces) if (text.includes(trace)) found.push(`${table}: ${trace}`);
  }
  return found;
}

/** All that the other account reads, and the number and bytes of files that are not the deleted account's. */
async function readOthers() {
  const answers: string[] = [];
  for (const path of pathsOf(kept.ids)) {
    const answer = await fetch(`${service.base}${path}`, { headers: { 'x-api-key': kept.key } });
    answers.push(`${path} ${answer.status} ${await answer.text()}`);
  }
  return answers;
}

async function rowsLeft(accountId: number): Promise<readonly string[]> {
  const left: string[] = [];
  for (const { table, condition } of ownedRows) {
    const { rows } = await sql`select 1 from ${sql.table(table)} where ${condition(accountId)}`.execute(
      service.database.query,
    );
    if (rows.length > 0) left.push(table);
  }
  return left;
}

async function requestDeletion(accountId: number, name: string) {
  return service.users.accountDeletions.request(operator, { accountId, name, delayMs: 0 });
}

async function ended(accountId: number): Promise<void> {
  const look = async () => {
    const { state, waitsFor } = await service.users.accountDeletions.read(accountId);
    if (state === 'done') return [state, waitsFor];
    // Why it goes on; a reader of SQLite's log, for one, makes it try again.
    const failures = service.logLines.filter((line) => line.includes('deletion failed'));
    return [state, waitsFor, ...failures.slice(-1)];
  };
  await expect.poll(look, { timeout: 60_000 }).toEqual(['done', null]);
}

async function vacuum(): Promise<void> {
  if (inject('postgres')) return;
  const connection = openConnection(service.folder.databasePath, {
    access: 'write',
    wal: true,
    busyTimeoutMs: 10_000,
  });
  connection.run('VACUUM', []);
  connection.run('PRAGMA wal_checkpoint(TRUNCATE)', []);
  connection.close();
}
