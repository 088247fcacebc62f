import { EngineError } from '@lynceus/engine';
import { request } from 'undici';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { callApi } from './api/fixtures/call-api.js';
import { imageBytes, multipart } from './fixtures/bodies.js';
import { callV1 } from './fixtures/call-v1.js';
import { found } from './fixtures/scripted-runner.js';
import { startTestService, type TestService } from './fixtures/test-service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
beforeEach(() => {
  service.runner.script = async () => found;
});

const sent = multipart([{ name: 'image', fileName: 'a.jpg', content: imageBytes(500) }]);
const v2Body = JSON.stringify({ base64str: imageBytes(500).toString('base64') });
const predict = (key: string, path = '/predict/image') => callV1(service, path, { sent, key });
const predictV2 = async (key: string) => {
  const answer = await request(`${service.base}/predict?api_key=${key}`, { method: 'PUT', body: v2Body });
  const json = JSON.parse(await answer.body.text());
  return { status: answer.statusCode, headers: answer.headers, json };
};
const makeKey = async (key: string, call_limit: number | null) =>
  (await callApi(service, '/api/keys', { method: 'POST', key, body: { name: 'limited', call_limit } })).json;
const callsOf = async (key: string) => {
  const account = (await callApi(service, '/api/account', { key })).json.calls.used;
  const list = (await callApi(service, '/api/keys', { key })).json.data;
  const own = list.find((each: { is_current: boolean }) => each.is_current).calls_used;
  const usage = (await callApi(service, '/api/usage', { key })).json.data;
  const byOperation: Record<string, number> = Object.fromEntries(
    usage.map((row: { operation: string; calls: number }) => [row.operation, row.calls]),
  );
  return { account, key: own, byOperation };
};

describe('of 64 clients who race for the last 10 calls exactly 10 succeed', () => {
  const race = async (key: string, code: string) => {
    const racers = Array.from({ length: 64 }, (_, index) =>
      index % 2 === 0 ? predict(key) : predictV2(key),
    );
    const answers = await Promise.all(racers);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(54);
    expect(new Set(refused.map(({ json }) => json.error.code))).toEqual(new Set([code]));
    const { account, key: own, byOperation } = await callsOf(key);
    expect([account, own]).toEqual([10, 10]);
    expect(Object.values(byOperation).reduce((sum, calls) => sum + calls, 0)).toBe(10);
  };

  test('of an account', async () => {
    const { key } = await service.makeKey('racing', 10);
    await race(key, 'trial_limit');
  });

  test('of a key whose account has calls left', async () => {
    const owner = await service.makeKey('key racing', 100);
    const { key } = await makeKey(owner.key, 10);
    await race(key, 'key_limit');
    expect((await predict(owner.key)).status).toBe(200);
  });
});

test('a key whose own calls are used up is rejected by both generations, and its account is not', async () => {
  const { key } = await makeKey(service.key, 1);
  expect((await predict(key)).status).toBe(200);
  const v1 = await predict(key);
  expect([v1.status, v1.json.status]).toEqual([429, 'Error (You Have Reached Your Trial API Call limit)']);
  expect(v1.json.error).toMatchObject({
    code: 'key_limit',
    message: 'all calls of this API key are used up (its limit is 1); raise call_limit or use another key',
  });
  const v2 = await predictV2(key);
  expect([v2.status, v2.json.status, v2.json.error.code]).toEqual([429, -5, 'key_limit']);
  expect(v1.headers['retry-after']).toBeUndefined();
  expect((await predict(service.key)).status).toBe(200);
  // A refusal is no fault of ours.
  expect(service.logLines.filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
});

test('where account and key have both run out, the account is named: another key would not help', async () => {
  const owner = await service.makeKey('both out', 1);
  const { key } = await makeKey(owner.key, 1);
  expect((await predict(key)).status).toBe(200);
  expect((await predict(key)).json.error).toMatchObject({
    code: 'trial_limit',
    message: expect.stringContaining('account'),
  });
});

test('a call counts once its parameters and key are valid, and its answer is a good one', async () => {
  const owner = await service.makeKey('counting', 100);
  const { key } = await makeKey(owner.key, 50);
  expect((await predict(key, '/predict/image?model_id=77')).status).toBe(400);
  expect((await predict(key, '/predict/face?command=create_person')).status).toBe(200);
  expect((await predict(key)).status).toBe(200);
  expect((await predict(key, '/predict/object_detection')).status).toBe(200);
  expect((await predictV2(key)).status).toBe(200);
  expect(await callsOf(key)).toEqual({
    account: 3,
    key: 3,
    byOperation: { 'v1.predict_image': 1, 'v1.predict_object_detection': 1, 'v2.predict': 1 },
  });
});

describe('a call of a limited key that fails is given back to key, account and usage', () => {
  test.each([
    ['image-corrupt', 415],
    ['busy', 503],
    ['internal', 500],
  ] as const)('%s, %i', async (code, status) => {
    const { key } = await makeKey((await service.makeKey(`failing ${code}`, 2)).key, 2);
    service.runner.script = async () => {
      throw new EngineError(code, 'no');
    };
    // More often than there are calls: each is free again.
    for (let call = 0; call < 3; call += 1) {
      expect((await predict(key)).status).toBe(status);
      expect((await predictV2(key)).status).toBe(status);
    }
    expect((await callV1(service, '/predict/image', { key })).json.error.code).toBe('no_file');
    expect(await callsOf(key)).toEqual({ account: 0, key: 0, byOperation: {} });
  });
});

test('a limit set while the key is in use holds from the next call on, and raising it lets the key work again', async () => {
  const { key, id } = await makeKey(service.key, null);
  const limitTo = (call_limit: number | null) =>
    callApi(service, `/api/keys/${id}`, { method: 'PATCH', body: { call_limit } });
  expect((await predict(key)).status).toBe(200);
  expect((await limitTo(1)).json).toMatchObject({ call_limit: 1, calls_used: 1 });
  expect((await predict(key)).json.error.code).toBe('key_limit');
  await limitTo(2);
  expect((await predict(key)).status).toBe(200);
  expect((await predict(key)).status).toBe(429);
  await limitTo(null);
  expect((await predict(key)).status).toBe(200);
});
