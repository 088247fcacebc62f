import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { faceCalls } from '../../faces/routes/fixtures/face-calls.js';
import { callApi } from '../../http/api/fixtures/call-api.js';
import { fillAccount, type Ids } from '../../http/fixtures/account-facts.js';
import { imageBytes, multipart } from '../../http/fixtures/bodies.js';
import { enterAs, enterAsAdministrator } from '../../http/fixtures/browser.js';
import { callV1 } from '../../http/fixtures/call-v1.js';
import { pathsOfAccount } from '../../http/fixtures/paths-to-read.js';
import { startTestService, type TestService } from '../../http/fixtures/test-service.js';
import { ownedUuid } from '../../storage/blobs/owned-id.js';
import { openQuarantine } from '../../storage/quarantine/quarantine.js';
import { openConnection } from '../../storage/sqlite/connection.js';
import { datasetCalls } from '../../training/datasets/routes/fixtures/dataset-calls.js';
import { ended, operator, tablesWithColumns } from './fixtures/deletion-trial.js';
import { ownedRows } from './owned-rows.js';

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
    await ended(service, accountId);

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
    await utimes(store.placeOf(id), 1, 1);
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
  for (const path of pathsOfAccount(service.routes, kept.ids)) {
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
