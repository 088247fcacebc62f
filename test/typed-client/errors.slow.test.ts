import { getEventListeners } from 'node:events';
import { inspect } from 'node:util';
import { type ClientOptions, createLynceusClient, LynceusError } from '@lynceus/client';
import { imageBytes } from '@lynceus/server/dist/http/fixtures/bodies.js';
import { startTestService, type TestService } from '@lynceus/server/dist/http/fixtures/test-service.js';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type StandIn, startStandIn } from './stand-in.js';

const image = imageBytes(500);
const secret = 'lyn_secret-of-the-test';

async function failureOf(call: Promise<unknown>): Promise<LynceusError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof LynceusError)) throw new Error(`no LynceusError but ${inspect(error)}`);
  expect(inspect(error, { depth: 10 })).not.toContain(secret);
  return error;
}

describe.each([false, true])('an error of the service (errorsAsOk: %s)', (errorsAsOk) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ errorsAsOk, maxImageBytes: 10_000 });
  });
  afterAll(() => service.stop());
  const withKey = (apiKey: string) => createLynceusClient({ baseUrl: service.base, apiKey });
  const uuid = /^[0-9a-f-]{36}$/;

  test('is the same by v1, v2 and the management API', async () => {
    const { recognise, detect, account } = withKey(secret);
    const failures = [await failureOf(recognise(image)), await failureOf(detect(image))];
    for (const error of failures) {
      expect(error).toMatchObject({ code: 'invalid_api_key', httpStatus: errorsAsOk ? 200 : 401 });
      expect(error.message).toMatch(/^the API key is unknown, revoked or expired/);
      expect(error.requestId).toMatch(uuid);
    }
    const problem = await failureOf(account());
    expect(problem).toMatchObject({
      code: 'invalid_api_key',
      httpStatus: 401,
      message: failures[0]?.message,
    });
    expect(problem.requestId).toMatch(uuid);
  });

  test('says which it is and what to fix', async () => {
    const { detect, detectObjects, keys } = withKey(service.key);
    const codes = await Promise.all(
      [
        detect(image, { modelId: 'none' }),
        detectObjects(image, { confThresh: 2 }),
        detectObjects(imageBytes(20_000)),
        detect(new Uint8Array()),
        detect({ url: 'http://169.254.169.254/' }),
        keys.change(999, { name: 'x' }),
      ].map(async (call) => (await failureOf(call)).code),
    );
    expect(codes).toEqual([
      'invalid_model',
      'wrong_parameters',
      'file_too_large',
      'no_file',
      'address_not_allowed',
      'not_found',
    ]);
  });
});

describe('what is no answer of the service', () => {
  let standIn: StandIn;
  afterEach(() => standIn.stop());
  const clientOf = (options: Partial<ClientOptions> = {}) =>
    createLynceusClient({ baseUrl: standIn.url, apiKey: secret, ...options });

  test.each([
    [502, 'text/html', '<html>Bad Gateway</html>'],
    [200, 'text/html', '<html>Sign in</html>'],
    [200, 'application/json', 'null'],
    [200, 'application/json', '{"status": "ok", "predic'],
    [500, 'application/json', '{"oops": true}'],
    [503, 'application/json', '{"ready": true}'],
  ])('HTTP %i, %s, %s is reported as unreadable', async (status, type, body) => {
    standIn = await startStandIn((_request, response) =>
      response.writeHead(status, { 'content-type': type, 'x-request-id': 'r-1' }).end(body),
    );
    const error = await failureOf(clientOf().recognise(image));
    expect(error).toMatchObject({ code: 'unreadable_answer', httpStatus: status, requestId: 'r-1' });
    expect(error.message).toContain(`HTTP ${status}, ${type}`);
  });

  test('a page where an image was wanted is no image', async () => {
    standIn = await startStandIn((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
    );
    const error = await failureOf(clientOf().files.readContent('0'.repeat(32)));
    expect(error).toMatchObject({ code: 'unreadable_answer', httpStatus: 200 });
  });

  test('a redirect is not followed with the key', async () => {
    const asked: string[] = [];
    standIn = await startStandIn((request, response) => {
      asked.push(request.url ?? '');
      response.writeHead(307, { location: '/elsewhere' }).end();
    });
    expect(await failureOf(clientOf().account())).toMatchObject({
      code: 'unreadable_answer',
      httpStatus: 307,
    });
    expect(asked).toEqual(['/api/account']);
  });

  test('an answer that breaks off is a network error', async () => {
    standIn = await startStandIn((_request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{"status"');
      setTimeout(() => response.destroy(), 20);
    });
    const error = await failureOf(clientOf().recognise(image));
    expect(error).toMatchObject({ code: 'network_error', httpStatus: null });
    expect(error.cause).toBeInstanceOf(Error);
  });

  test.each(['headers', 'body'])('a service that keeps its %s back meets the time limit', async (part) => {
    standIn = await startStandIn((_request, response) => {
      if (part === 'body') response.writeHead(200).write('{');
    });
    const startedAt = performance.now();
    const error = await failureOf(clientOf({ timeoutMs: 60_000 }).recognise(image, { timeoutMs: 100 }));
    expect(error).toMatchObject({ code: 'timeout', message: 'the call took longer than 100 ms' });
    expect(performance.now() - startedAt).toBeLessThan(50_000);
  });

  test('a call is given up by its signal, before and while it runs, and nothing stays attached to it', async () => {
    standIn = await startStandIn(() => undefined);
    const controller = new AbortController();
    const { signal } = controller;
    await failureOf(clientOf().recognise(image, { signal, timeoutMs: 20 }));
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    const running = failureOf(clientOf().recognise(image, { signal }));
    setTimeout(() => controller.abort('enough'), 50);
    expect(await running).toMatchObject({ code: 'aborted', cause: 'enough' });
    const refused = failureOf(clientOf().account({ signal }));
    expect(await refused).toMatchObject({ code: 'aborted', cause: 'enough' });
  });
});

test('whatever comes back is an answer or a LynceusError', async () => {
  const text = fc.string({ unit: 'binary' });
  const header = fc.string({ unit: fc.constantFrom(...'0123456789-, abcGMT:') });
  const error = fc.record({ code: fc.jsonValue(), message: fc.jsonValue(), request_id: fc.jsonValue() });
  const body = fc.oneof(
    text,
    fc.json(),
    fc
      .oneof(error, fc.record({ error }), fc.record({ error: fc.jsonValue() }))
      .map((value) => JSON.stringify(value)),
  );
  const status = fc.oneof(fc.constantFrom(200, 301, 401, 429, 503), fc.integer({ min: 206, max: 599 }));
  await fc.assert(
    fc.asyncProperty(body, status, header, async (sent, sentStatus, retryAfter) => {
      fc.pre(sentStatus !== 304);
      const { recognise } = createLynceusClient({
        baseUrl: 'http://service.example',
        apiKey: secret,
        fetch: async () => new Response(sent, { status: sentStatus, headers: { 'retry-after': retryAfter } }),
      });
      const outcome: unknown = await recognise(image).catch((reason: unknown) => reason);
      if (outcome instanceof LynceusError) {
        const { code, message, httpStatus, retryAfterMs } = outcome;
        expect([typeof code, typeof message, httpStatus]).toEqual(['string', 'string', sentStatus]);
        expect(retryAfterMs ?? 0).toBeGreaterThanOrEqual(0);
        expect(retryAfterMs).not.toBe(Number.POSITIVE_INFINITY);
      } else {
        expect(outcome).toEqual(JSON.parse(sent));
      }
    }),
    { numRuns: 2000 },
  );
});

test('a service that is not there is a network error that says where it was looked for', async () => {
  const standIn = await startStandIn(() => undefined);
  await standIn.stop();
  const error = await failureOf(createLynceusClient({ baseUrl: standIn.url, apiKey: secret }).account());
  expect(error.code).toBe('network_error');
  expect(error.message).toContain(standIn.url);
});

describe('options that cannot be used are refused at once, and the key is not shown', () => {
  const good: ClientOptions = { baseUrl: 'http://127.0.0.1:8080', apiKey: secret };
  test.each<[string, Partial<ClientOptions>]>([
    ['baseUrl', { baseUrl: 'lynceus.example' }],
    ['baseUrl', { baseUrl: 'ftp://lynceus.example' }],
    ['baseUrl', { baseUrl: `http://user:${secret}@lynceus.example` }],
    ['baseUrl', { baseUrl: `http://lynceus.example/?apikey=${secret}` }],
    ['apiKey', { apiKey: '' }],
    ['apiKey', { apiKey: `${secret}\n` }],
    ['apiKey', { apiKey: `${secret}é` }],
    ['timeoutMs', { timeoutMs: 0 }],
    ['timeoutMs', { timeoutMs: Number.NaN }],
    ['timeoutMs', { timeoutMs: Number.POSITIVE_INFINITY }],
    ['maxRetries', { maxRetries: -1 }],
    ['maxRetries', { maxRetries: 1.5 }],
  ])('%s: %o', (name, wrong) => {
    const make = () => createLynceusClient({ ...good, ...wrong });
    expect(make).toThrow(TypeError);
    expect(make).toThrow(new RegExp(`^${name} must be`));
    expect(make).not.toThrow(secret);
  });

  test('a client that is printed shows no key', () => {
    expect(inspect(createLynceusClient(good), { depth: 10, showHidden: true })).not.toContain(secret);
  });
});
