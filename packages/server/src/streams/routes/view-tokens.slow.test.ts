import { afterAll, beforeAll, expect, test } from 'vitest';
import { callApi } from '../../http/api/fixtures/call-api.js';
import { enterAs } from '../../http/fixtures/browser.js';
import { startTestService, type TestService } from '../../http/fixtures/test-service.js';

let service: TestService;
let now = Date.now();
let streamId = 0;
beforeAll(async () => {
  service = await startTestService({ clock: () => now });
  const source = { kind: 'rtsp', address: 'rtsp://10.0.0.1/' };
  const body = { name: 'entrance', source, enabled: false };
  streamId = (await callApi(service, '/api/streams', { method: 'POST', body })).json.id;
});
afterAll(() => service.stop());

const tokenBy = async (key: string, body: object = {}) => {
  const made = await callApi(service, `/api/streams/${streamId}/view-tokens`, { method: 'POST', key, body });
  expect(made.status).toBe(201);
  return made.json;
};
/** 404: let in, and there is no frame. */
const watch = async (token: string, path = `/api/streams/${streamId}/latest.jpg`) =>
  (await callApi(service, `${path}?view_token=${token}`, { key: null })).status;

test('a token lets in until its time is over, and for ten minutes unless its time is named', async () => {
  const { token, expires_at } = await tokenBy(service.key);
  expect(Date.parse(expires_at) - now).toBeGreaterThan(598_000);
  expect(await watch(token)).toBe(404);
  now += 601_000;
  expect(await watch(token)).toBe(401);
  expect(
    (
      await callApi(service, `/api/streams/${streamId}/view-tokens`, {
        method: 'POST',
        body: { seconds: 3601 },
      })
    ).status,
  ).toBe(400);
});

test('a token opens the live view of its stream and nothing else', async () => {
  const { token } = await tokenBy(service.key);
  for (const path of [
    `/api/streams/${streamId}`,
    '/api/streams',
    '/api/stream-events',
    `/api/streams/${streamId + 1}/latest.jpg`,
    `/api/streams/${streamId}/latest.jpg/`,
  ])
    expect([path, await watch(token, path)]).toEqual([path, path.endsWith('/') ? 404 : 401]);
  const change = await callApi(service, `/api/streams/${streamId}/view-tokens?view_token=${token}`, {
    method: 'POST',
    key: null,
    body: {},
  });
  expect(change.status).toBe(401);
});

test('a token ends with the key that asked for it', async () => {
  const { json: key } = await callApi(service, '/api/keys', { method: 'POST', body: { name: 'dashboard' } });
  const { token } = await tokenBy(key.key);
  await callApi(service, `/api/keys/${key.id}`, { method: 'DELETE' });
  expect(await watch(token)).toBe(401);
});

test('a reader may ask for one, which ends when the reader is removed', async () => {
  const [owner, reader] = [
    await enterAs(service, service.accountId, 'owner', 'owner@example.com'),
    await enterAs(service, service.accountId, 'reader', 'reader@example.com'),
  ];
  const made = await reader.call(`/api/streams/${streamId}/view-tokens`, { method: 'POST', body: {} });
  expect(made.status).toBe(201);
  expect(await watch(made.json.token)).toBe(404);
  const { user } = (await reader.call('/api/session')).json;
  expect((await owner.call(`/api/members/${user.id}`, { method: 'DELETE' })).status).toBe(200);
  expect(await watch(made.json.token)).toBe(401);
});

test('another account gets none', async () => {
  const { key } = await service.makeKey('second');
  const made = await callApi(service, `/api/streams/${streamId}/view-tokens`, {
    method: 'POST',
    key,
    body: {},
  });
  expect(made.status).toBe(404);
});
