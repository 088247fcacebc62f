import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callV1 } from '../fixtures/call-v1.js';
import { startTestService, type TestService } from '../fixtures/test-service.js';
import { callApi } from './fixtures/call-api.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString();
const create = (key: string, body: unknown = { name: 'made' }) =>
  callApi(service, '/api/keys', { method: 'POST', key, body });
const change = (key: string, id: number, body: unknown) =>
  callApi(service, `/api/keys/${id}`, { method: 'PATCH', key, body });
const revoke = (key: string, id: number, query = '') =>
  callApi(service, `/api/keys/${id}${query}`, { method: 'DELETE', key });
const works = async (key: string) => (await callApi(service, '/api/account', { key })).status === 200;

describe('POST /api/keys', () => {
  test('makes a key that works for predictions and for the API, and is shown once', async () => {
    const expires_at = tomorrow();
    const { status, json } = await create(service.key, { name: '  shop front ', expires_at });
    expect(status).toBe(201);
    expect(json).toEqual({
      key: expect.stringMatching(/^lyn_[A-Za-z0-9_-]{43}$/),
      id: expect.any(Number),
      prefix: json.key.slice(0, 12),
      name: 'shop front',
      created_at: expect.any(String),
      expires_at,
      revoked_at: null,
      call_limit: null,
      calls_used: 0,
      scope: 'account',
      compat: null,
      created_by: { kind: 'key', user_id: null, key_id: service.keyId, name: null },
      is_current: false,
    });
    expect(await works(json.key)).toBe(true);
    expect((await callV1(service, '/predict/image', { key: json.key })).json.error.code).toBe('no_file');
    const list = await callApi(service, '/api/keys');
    expect(JSON.stringify(list.json)).not.toContain(json.key);
    expect(service.logLines.join('')).not.toContain(json.key);
  });

  test.each([
    ['an empty name', { name: '' }],
    ['a name of spaces', { name: '   ' }],
    ['a name with NUL', { name: 'a\0b' }],
    ['half a character', { name: '\ud800' }],
    ['a name too long', { name: 'n'.repeat(101) }],
    ['a name that is a number', { name: 5 }],
    ['a boolean end', { name: 'a', expires_at: true }],
    ['an end in the past', { name: 'a', expires_at: '2020-01-01T00:00:00Z' }],
    ['a limit below nothing', { name: 'a', call_limit: -1 }],
    ['a limit that is no number', { name: 'a', call_limit: '5' }],
    ['a limit that is a fraction', { name: 'a', call_limit: 1.5 }],
    ['a limit beyond counting', { name: 'a', call_limit: 2 ** 53 }],
    ['a boolean limit', { name: 'a', call_limit: true }],
    ['an end that is a day', { name: 'a', expires_at: '2090-01-01' }],
    ['an end that there is not', { name: 'a', expires_at: '2090-02-30T00:00:00Z' }],
  ])('refuses %s', async (_name, body) => {
    const { status, json } = await create(service.key, body);
    expect([status, json.code]).toEqual([400, 'wrong_parameters']);
  });

  test('an account has a hundred keys at most', async () => {
    const { key } = await service.makeKey('collector');
    const made = await Promise.all(Array.from({ length: 104 }, () => create(key)));
    expect(made.filter(({ status }) => status === 201)).toHaveLength(99);
    const refused = made.filter(({ status }) => status === 409);
    expect(refused).toHaveLength(5);
    expect(refused[0]?.json).toMatchObject({ code: 'conflict', detail: expect.stringContaining('100 keys') });
    await revoke(key, made.find(({ status }) => status === 201)?.json.id);
    expect((await create(key)).status).toBe(201);
  });

  test('an account makes a thousand keys a day at most, and is answered when it may make more', async () => {
    const { key, accountId } = await service.makeKey('looping');
    const { database } = service;
    const rows = Array.from({ length: 998 }, (_, index) => ({
      account_id: accountId,
      hash: `looping-${index}`,
      prefix: 'lyn_old',
      name: 'old',
      created_at: Date.now() - 3_600_000,
      expires_at: null,
      revoked_at: Date.now(),
    }));
    await database.write([database.query.insertInto('api_key').values(rows)]);
    expect((await create(key)).status).toBe(201);
    const { status, json, headers } = await create(key);
    expect([status, json.code]).toEqual([429, 'too_many_requests']);
    const hours = Number(headers['retry-after']) / 3600;
    expect(hours).toBeGreaterThan(22.9);
    expect(hours).toBeLessThanOrEqual(23);
  });
});

test('GET /api/keys pages through the own keys alone, the newest first', async () => {
  const { key, keyId } = await service.makeKey('lister');
  for (const name of ['b', 'c', 'd']) await create(key, { name });
  const first = await callApi(service, '/api/keys?limit=3', { key });
  const second = await callApi(service, `/api/keys?limit=3&cursor=${first.json.next_cursor}`, { key });
  const all = [...first.json.data, ...second.json.data];
  expect(all.map((each) => [each.name, each.is_current])).toEqual([
    ['d', false],
    ['c', false],
    ['b', false],
    ['test', true],
  ]);
  expect(all.at(-1)?.id).toBe(keyId);
  expect(second.json.next_cursor).toBeNull();
});

describe('PATCH /api/keys/{id}', () => {
  test('renames a key, sets its end and takes it away again', async () => {
    const { json: made } = await create(service.key);
    const expires_at = tomorrow();
    expect((await change(service.key, made.id, { name: 'new' })).json).toMatchObject({
      name: 'new',
      expires_at: null,
    });
    expect((await change(service.key, made.id, { expires_at })).json).toMatchObject({
      name: 'new',
      expires_at,
    });
    expect((await change(service.key, made.id, { expires_at: null })).json.expires_at).toBeNull();
    expect((await change(service.key, made.id, {})).json.name).toBe('new');
  });

  test('gives a key a limit of calls and takes it away again', async () => {
    const { json: made } = await create(service.key, { name: 'a', call_limit: 3 });
    expect(made).toMatchObject({ call_limit: 3, calls_used: 0 });
    expect((await change(service.key, made.id, { name: 'b' })).json.call_limit).toBe(3);
    expect((await change(service.key, made.id, { call_limit: 0 })).json.call_limit).toBe(0);
    expect((await change(service.key, made.id, { call_limit: null })).json.call_limit).toBeNull();
    const refused = await change(service.key, made.id, { call_limit: 'all' });
    expect([refused.status, refused.json.detail]).toEqual([
      400,
      'call_limit must be a whole number of calls, those used already among them, or null for no limit of its own',
    ]);
  });

  test('an end in the past is refused, and a revoked key stays as it is', async () => {
    const { json: made } = await create(service.key);
    expect((await change(service.key, made.id, { expires_at: '2020-01-01T00:00:00Z' })).status).toBe(400);
    await revoke(service.key, made.id);
    const { status, json } = await change(service.key, made.id, { name: 'back', expires_at: null });
    expect([status, json.code]).toEqual([409, 'conflict']);
    expect(await works(made.key)).toBe(false);
  });
});

describe('DELETE /api/keys/{id}', () => {
  test('a revoked key is refused from the next request on', async () => {
    const { json: made } = await create(service.key);
    expect(await works(made.key)).toBe(true);
    expect((await revoke(service.key, made.id)).status).toBe(204);
    expect(await works(made.key)).toBe(false);
    expect((await revoke(service.key, made.id)).status).toBe(204);
  });

  test('the last good key stays unless it is forced', async () => {
    const { key, keyId } = await service.makeKey('careful');
    const { json: other } = await create(key);
    expect((await revoke(key, other.id)).status).toBe(204);
    const refused = await revoke(key, keyId);
    expect([refused.status, refused.json.code]).toEqual([409, 'conflict']);
    expect(refused.json.detail).toContain('force=true');
    expect((await revoke(key, keyId, '?force=false')).status).toBe(409);
    expect(await works(key)).toBe(true);
    expect((await revoke(key, keyId, '?force=true')).status).toBe(204);
    expect(await works(key)).toBe(false);
  });

  test('a key revoked from outside the service manages nothing any more, however lately it was used', async () => {
    const { key, keyId } = await service.makeKey('outside');
    expect((await callV1(service, '/predict/image', { key })).status).toBe(400);
    const { database } = service;
    await database.write([
      database.query.updateTable('api_key').set({ revoked_at: 1 }).where('id', '=', keyId),
    ]);
    expect(await works(key)).toBe(false);
    expect((await create(key)).status).toBe(401);
  });

  test('an expired key is no good key, and may itself be revoked', async () => {
    const { key, keyId, accountId } = await service.makeKey('expiring');
    await service.database.write([
      service.database.query.insertInto('api_key').values({
        account_id: accountId,
        hash: 'of-an-old-key',
        prefix: 'lyn_old',
        name: 'old',
        created_at: 1,
        expires_at: 2,
        revoked_at: null,
      }),
    ]);
    expect((await revoke(key, keyId)).status).toBe(409);
    const list = await callApi(service, '/api/keys?limit=1', { key });
    expect((await revoke(key, list.json.data[0].id)).status).toBe(204);
  });

  test('a key with a limit of calls does not count as one to get in by', async () => {
    const { key, keyId } = await service.makeKey('limited');
    await create(key, { name: 'limited', call_limit: 5 });
    expect((await revoke(key, keyId)).status).toBe(409);
    await create(key, { name: 'unlimited' });
    expect((await revoke(key, keyId)).status).toBe(204);
  });

  test('of two good keys revoked at once one stays', async () => {
    const { key, keyId } = await service.makeKey('racing');
    const { json: other } = await create(key);
    const ends = await Promise.all([revoke(key, keyId), revoke(key, other.id)]);
    expect(ends.filter(({ status }) => status === 204)).toHaveLength(1);
    expect([await works(key), await works(other.key)].filter(Boolean)).toHaveLength(1);
  });
});

test('the last good key gets no end and no limit unless that is forced', async () => {
  const { key, keyId } = await service.makeKey('single');
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
  for (const weaker of [{ call_limit: 5 }, { expires_at: inAnHour }]) {
    const { status, json } = await change(key, keyId, weaker);
    expect([status, json.code]).toEqual([409, 'conflict']);
  }
  expect((await change(key, keyId, { name: 'renamed', call_limit: null })).status).toBe(200);
  const forced = await callApi(service, `/api/keys/${keyId}?force=true`, {
    method: 'PATCH',
    key,
    body: { expires_at: inAnHour },
  });
  expect([forced.status, forced.json.expires_at]).toEqual([200, inAnHour]);
  await create(key, { name: 'second' });
  expect((await change(key, keyId, { call_limit: 5 })).status).toBe(200);
});

test('an end that no answer could hold is rejected, and no key is made', async () => {
  const { key } = await service.makeKey('far future');
  for (const expires_at of ['9999-12-31T23:59:59-23:00', '9999-12-31T00:00:00Z', '1969-12-31T00:00:00Z']) {
    expect((await create(key, { name: 'x', expires_at })).status).toBe(400);
  }
  expect((await callApi(service, '/api/keys', { key })).json.data).toHaveLength(1);
});

test('a key with a limit of calls reads, but cannot lift its limit', async () => {
  const owner = await service.makeKey('owner');
  const { json: limited } = await create(owner.key, { name: 'limited', call_limit: 5 });
  const refused = [
    await create(limited.key, { name: 'free' }),
    await change(limited.key, limited.id, { call_limit: null }),
    await revoke(limited.key, owner.keyId),
  ];
  for (const { status, json } of refused) expect([status, json.code]).toEqual([403, 'not_allowed']);
  expect(refused[0]?.json.detail).toMatch(/use one without, or ask the operator/);
  for (const path of ['/api/keys', '/api/account', '/api/usage', '/api/files']) {
    expect((await callApi(service, path, { key: limited.key })).status).toBe(200);
  }
  expect((await change(owner.key, limited.id, { call_limit: null })).status).toBe(200);
  expect((await create(limited.key, { name: 'now it may' })).status).toBe(201);
});

test("another account's key is answered like one that never was", async () => {
  const { key } = await service.makeKey('stranger');
  const foreign = service.keyId;
  for (const call of [
    (id: number) => change(key, id, { name: 'mine' }),
    (id: number) => revoke(key, id, '?force=true'),
  ]) {
    const answers = [await call(foreign), await call(987_654)];
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    const [one, other] = answers.map(({ json }) => json.detail.replace(/\d+/g, 'N'));
    expect(one).toBe(other);
  }
  expect(await works(service.key)).toBe(true);
});
