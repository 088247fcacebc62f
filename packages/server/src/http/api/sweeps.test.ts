import { utimes } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Browser, enterAs, enterAsAdministrator } from '../fixtures/browser.js';
import { startTestService, type TestService } from '../fixtures/test-service.js';

let service: TestService;
let admin: Browser;
beforeAll(async () => {
  service = await startTestService();
  admin = await enterAsAdministrator(service);
  const { blobs } = service.datasets;
  for (const id of ['orphan-1', 'orphan-2', 'orphan-3']) {
    await blobs.write(id, Readable.from([Buffer.from(id)]));
    await utimes(blobs.placeOf(id), 1, 1);
  }
  await service.sweeps.runAll();
});
afterAll(() => service.stop());

const storeIn = (json: { stores: { store: string }[] }, name: string) =>
  json.stores.find(({ store }) => store === name);

test('administrators read which sweep waits and why, and nobody else does', async () => {
  const { status, json } = await admin.call('/api/admin/sweeps');
  expect([status, json.suspended, json.quarantine_days]).toEqual([200, null, 14]);
  expect(storeIn(json, 'datasets')).toEqual({
    store: 'datasets',
    quarantined: 0,
    blocked: { orphans: 3, items: 3, since: expect.stringMatching(/Z$/), is_confirmed: false },
  });
  expect(json.sweeps).toContainEqual({ name: 'datasets', outcome: 'blocked', ran_at: expect.any(String) });
  expect(json.sweeps).toContainEqual({ name: 'faces', outcome: 'done', ran_at: expect.any(String) });
  const member = await enterAs(service, service.accountId, 'owner', 'owner@example.com');
  expect((await member.call('/api/admin/sweeps')).status).toBe(403);
});

test('a confirmation with the number that was found lets the sweep move, and is in the audit log', async () => {
  const confirm = (store: string, orphans: unknown) =>
    admin.call(`/api/admin/sweeps/${store}/confirm`, { method: 'POST', body: { orphans } });
  expect((await confirm('datasets', 2)).status).toBe(409);
  expect((await confirm('faces', 3)).status).toBe(404);
  expect((await confirm('kittens', 3)).status).toBe(404);
  expect((await confirm('datasets', '3')).status).toBe(400);
  expect(await service.datasets.blobs.sizeOf('orphan-1')).not.toBeNull();

  expect((await confirm('datasets', 3)).status).toBe(200);
  await expect
    .poll(async () => storeIn((await admin.call('/api/admin/sweeps')).json, 'datasets'), { timeout: 120_000 })
    .toEqual({ store: 'datasets', quarantined: 3, blocked: null });
  expect(await service.datasets.blobs.sizeOf('orphan-1')).toBeNull();
  const { json } = await admin.call('/api/audit?action=sweeps.confirm');
  expect(json.data).toMatchObject([
    { action: 'sweeps.confirm', subject: { kind: 'sweep', id: 'datasets' }, details: { orphans: 3 } },
  ]);
});
