import { EngineError } from '@lynceus/engine';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { upload } from '../fixtures/ask.js';
import { callV1 } from '../fixtures/call-v1.js';
import { startTestService, type TestService } from '../fixtures/test-service.js';
import { callApi } from './fixtures/call-api.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const today = () => new Date().toISOString().slice(0, 10);

test('GET /api/account has the plan, and the calls used and left', async () => {
  const { key } = await service.makeKey('trying', 5);
  await callV1(service, '/predict/image', { sent: upload, key });
  const { status, json } = await callApi(service, '/api/account', { key });
  expect(status).toBe(200);
  expect(json).toMatchObject({
    name: 'trying',
    plan: 'trial',
    calls: { limit: 5, used: 1, left: 4 },
    result_days: 30,
  });
  expect((await callApi(service, '/api/account')).json).toMatchObject({
    plan: 'paid',
    calls: { limit: null, left: null },
  });
});

const none = { failed: 0, failed_processor_seconds: 0 };

describe('GET /api/usage', () => {
  test('counts calls by day, key and operation, and no failed one', async () => {
    const { key, keyId } = await service.makeKey('using');
    const { json: second } = await callApi(service, '/api/keys', {
      method: 'POST',
      key,
      body: { name: 'b' },
    });
    await callV1(service, '/predict/image', { sent: upload, key });
    await callV1(service, '/predict/image', { sent: upload, key });
    await callV1(service, '/predict/object_detection', { sent: upload, key });
    await callV1(service, '/predict/image', { sent: upload, key: second.key });
    await callV1(service, '/predict/image', { key });
    const { json } = await callApi(service, '/api/usage', { key });
    const day = today();
    expect(json).toMatchObject({ to: day, total: 4, next_cursor: null });
    expect(json.data).toEqual([
      { day, key_id: keyId, key_name: 'test', operation: 'v1.predict_image', calls: 2, ...none },
      { day, key_id: keyId, key_name: 'test', operation: 'v1.predict_object_detection', calls: 1, ...none },
      { day, key_id: second.id, key_name: 'b', operation: 'v1.predict_image', calls: 1, ...none },
    ]);
    const totalOf = async (query: string) =>
      (await callApi(service, `/api/usage?${query}`, { key })).json.total;
    expect(await totalOf(`key_id=${second.id}`)).toBe(1);
    expect(await totalOf('operation=v1.predict_image')).toBe(3);
    expect(await totalOf(`key_id=${service.keyId}`)).toBe(0);
    expect(await totalOf('from=2020-01-01&to=2020-12-31')).toBe(0);
  });

  test.each([
    ['image-too-complex', 415],
    ['timeout', 503],
    ['process-crashed', 503],
  ] as const)(
    'has a call that ended as %s as failed, with what it took, and gives it back',
    async (code, answered) => {
      const { key } = await service.makeKey(`ended ${code}`, 1);
      const { script } = service.runner;
      service.runner.script = async () => {
        throw new EngineError(code, 'the job was ended', { cpuMs: 10_400 });
      };
      for (let call = 0; call < 2; call += 1) {
        const { status } = await callV1(service, '/predict/image', { sent: upload, key });
        expect(status).toBe(answered);
      }
      service.runner.script = script;
      const failed = { calls: 0, failed: 2, failed_processor_seconds: 20.8 };
      const row = { operation: 'v1.predict_image', ...failed };
      expect((await callApi(service, '/api/usage', { key })).json).toMatchObject({ total: 0, data: [row] });
      // A trial of one call has it still.
      expect((await callV1(service, '/predict/image', { sent: upload, key })).status).toBe(200);
      const { json } = await callApi(service, '/api/usage?group_by=day', { key });
      expect(json).toMatchObject({ total: 1, data: [{ ...failed, calls: 1 }] });
    },
  );

  test('has no call as failed that was refused for what was sent', async () => {
    const { key } = await service.makeKey('refused');
    await callV1(service, '/predict/image', { key });
    expect((await callApi(service, '/api/usage', { key })).json.data).toEqual([]);
  });

  test('pages through all rows once, and the total is of all pages', async () => {
    const { key, keyId, accountId } = await service.makeKey('long');
    const rows = Array.from({ length: 20 }, (_, index) => ({
      account_id: accountId,
      key_id: keyId,
      operation: `v1.op${index % 4}`,
      day: `2026-01-0${1 + Math.floor(index / 4)}`,
      calls: 1,
    }));
    await service.database.write([service.database.query.insertInto('usage').values(rows)]);
    const seen: string[] = [];
    let cursor = '';
    do {
      const query = `from=2026-01-01&to=2026-01-31&limit=3${cursor && `&cursor=${cursor}`}`;
      const { json } = await callApi(service, `/api/usage?${query}`, { key });
      expect(json.total).toBe(20);
      seen.push(...json.data.map((row: { day: string; operation: string }) => `${row.day} ${row.operation}`));
      cursor = json.next_cursor;
    } while (cursor !== null);
    expect(seen).toHaveLength(20);
    expect(new Set(seen).size).toBe(20);
    expect(seen[0]).toBe('2026-01-05 v1.op0');
  });

  test('days are answered that end with the last one', async () => {
    const { json } = await callApi(service, '/api/usage?to=2026-03-01');
    expect([json.from, json.to]).toEqual(['2026-01-31', '2026-03-01']);
    const { status, json: refused } = await callApi(service, '/api/usage?from=2026-03-02&to=2026-03-01');
    expect([status, refused.detail]).toEqual([400, 'from must not lie after to']);
  });

  test('is summed by day, operation or key in one answer', async () => {
    const { key, keyId, accountId } = await service.makeKey('summing');
    const rows = Array.from({ length: 300 }, (_, index) => ({
      account_id: accountId,
      key_id: keyId,
      operation: `v1.op${index % 3}`,
      day: new Date(Date.UTC(2026, 0, 1 + Math.floor(index / 3))).toISOString().slice(0, 10),
      calls: 1 + (index % 3),
    }));
    await service.database.write([service.database.query.insertInto('usage').values(rows)]);
    const sums = async (by: string, more = '') =>
      (await callApi(service, `/api/usage?from=2026-01-01&to=2026-12-31&group_by=${by}${more}`, { key }))
        .json;
    const byDay = await sums('day');
    expect(byDay).toMatchObject({ total: 600, group_by: 'day', next_cursor: null });
    expect(byDay.data).toHaveLength(100);
    expect(byDay.data[0]).toEqual({ day: '2026-01-01', calls: 6, ...none });
    expect((await sums('operation')).data).toEqual([
      { operation: 'v1.op2', calls: 300, ...none },
      { operation: 'v1.op1', calls: 200, ...none },
      { operation: 'v1.op0', calls: 100, ...none },
    ]);
    expect((await sums('key')).data).toEqual([
      { key_id: keyId, key_name: expect.any(String), calls: 600, ...none },
    ]);
    expect(await sums('key', '&operation=v1.op1')).toMatchObject({ total: 200, data: [{ calls: 200 }] });
    expect((await sums('hour')).detail).toContain('group_by must be day, operation or key');
    expect((await sums('day', '&limit=3')).status).toBe(400);
  });
});
