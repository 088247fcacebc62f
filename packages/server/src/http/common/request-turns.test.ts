import { setMaxListeners } from 'node:events';
import { setImmediate as nextLoop } from 'node:timers/promises';
import Fastify, { type InjectOptions } from 'fastify';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ServiceError } from '../../core/service-error.js';
import { createRawBodyHandler } from '../../wire/raw-body-handler.js';
import { createRequestSignal } from './request-signal.js';
import { createRequestTurns, endTurns } from './request-turns.js';

beforeEach(
  () =>
    void vi.useFakeTimers({
      toFake: ['performance', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
    }),
);
afterEach(() => void vi.useRealTimers());

/** Whose the keys of these tests are. */
const accounts: Readonly<Record<string, number>> = { a1: 1, a2: 1, b: 2 };
const inferenceProcesses = 4;
const limit = { accountId: 0, keyId: 1, resultDays: 30, hasLimit: false, managesKeys: false };

/** An application whose answers wait until they are ended, in the order of the requests. */
function openApp(requestTimeoutMs = 60_000) {
  const app = Fastify();
  const turns = createRequestTurns(inferenceProcesses);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const refused: unknown[] = [];
  const shutdownSignal = new AbortController().signal;
  // Every request listens to it.
  setMaxListeners(0, shutdownSignal);
  const deps = { settings: { requestTimeoutMs }, shutdownSignal };
  endTurns(app);
  app.decorateRequest('caller', undefined);
  app.addHook('onRequest', async (request, reply) => {
    await turns.take(request, createRequestSignal(reply, deps)).catch((error: unknown) => {
      refused.push(error instanceof ServiceError ? error.code : error);
      throw error;
    });
    const accountId = accounts[String(request.headers['x-api-key'] ?? request.headers['elsewhere'])];
    if (accountId === undefined) return;
    request.caller = { ...limit, accountId, hasExactRateLimits: false };
    turns.remember(request);
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _body, done) => done(null));
  app.route({
    method: ['GET', 'POST'],
    url: '/:name',
    handler: async (request) => {
      begun.push(request.url.slice(1));
      await new Promise<void>((resolve) => ends.push(resolve));
      return {};
    },
  });
  const send = (request: InjectOptions) => void app.inject(request).catch(() => undefined);
  const settle = async () => {
    for (let loop = 0; loop < 20; loop += 1) await nextLoop();
  };
  return {
    begun,
    refused,
    ask(name: string, key: string, remoteAddress = '192.0.2.1') {
      send({ url: `/${name}`, headers: { 'x-api-key': key }, remoteAddress });
    },
    send,
    async end(count: number) {
      for (let ended = 0; ended < count; ended += 1) {
        ends.shift()?.();
        await settle();
      }
    },
    settle,
  };
}

/** Both accounts have asked before. */
async function openKnown(requestTimeoutMs?: number) {
  const app = openApp(requestTimeoutMs);
  // At the second time their keys are known.
  for (let times = 0; times < 2; times += 1) {
    for (const key of Object.keys(accounts)) app.ask('known', key);
    await app.settle();
    await app.end(3);
  }
  app.begun.length = 0;
  return app;
}

test('an account beside another has two requests under way, with all of its keys, and the other has its turn at once', async () => {
  const app = await openKnown();
  for (let count = 0; count < 20; count += 1) app.ask(`a${count}`, count % 2 === 0 ? 'a1' : 'a2');
  await app.settle();
  expect(app.begun).toEqual(['a0', 'a1']);
  app.ask('b', 'b');
  await app.settle();
  expect(app.begun).toEqual(['a0', 'a1', 'b']);
  await app.end(1);
  expect(app.begun).toEqual(['a0', 'a1', 'b', 'a2']);
});

test('keys that are unknown count for their address, so that many of them win no turns', async () => {
  const app = await openKnown();
  for (let count = 0; count < 20; count += 1) app.ask(`x${count}`, `guess ${count}`);
  app.ask('y', 'unknown too', '198.51.100.1');
  app.ask('b', 'b');
  await app.settle();
  expect(app.begun).toEqual(['x0', 'x1', 'y', 'b']);
});

test('a request that waits for something else holds up no other one of its account', async () => {
  const app = await openKnown();
  for (let count = 0; count < 4; count += 1) app.ask(`a${count}`, 'a1');
  await app.settle();
  expect(app.begun).toEqual(['a0', 'a1']);
  await vi.advanceTimersByTimeAsync(50);
  await app.settle();
  expect(app.begun).toEqual(['a0', 'a1', 'a2', 'a3']);
});

test('an account that is alone has its requests under way together', async () => {
  const app = await openKnown();
  await vi.advanceTimersByTimeAsync(10_000);
  for (let count = 0; count < 20; count += 1) app.ask(`a${count}`, 'a1');
  await app.settle();
  expect(app.begun).toHaveLength(20);
});

test('clients without a credential are not counted for an account whose key stands elsewhere', async () => {
  const app = await openKnown();
  // As in a form, or at a listener that needs no key.
  const sendElsewhere = (name: string) =>
    app.send({ url: `/${name}`, headers: { elsewhere: 'a1' }, remoteAddress: '192.0.2.1' });
  for (let times = 0; times < 2; times += 1) {
    sendElsewhere('known');
    await app.settle();
    await app.end(1);
  }
  app.begun.length = 0;
  for (let count = 0; count < 20; count += 1) sendElsewhere(`a${count}`);
  app.send({ url: '/stranger', remoteAddress: '198.51.100.1' });
  await app.settle();
  expect(app.begun).toEqual(['a0', 'a1', 'stranger']);
});

test.each<[string, InjectOptions, number]>([
  ['a byte behind a GET', { method: 'GET', payload: 'x', headers: { 'content-type': 'text/plain' } }, 2],
  ['JSON of a type in other letters', { payload: '{}', headers: { 'content-type': 'Application/JSON' } }, 2],
  [
    'JSON as large as any of /api',
    { payload: ' '.repeat(65_536), headers: { 'content-type': 'application/json' } },
    2,
  ],
  ['fields', { payload: 'x'.repeat(8192), headers: { 'content-type': 'text/plain' } }, 2],
  ['an image', { payload: 'x'.repeat(8193), headers: { 'content-type': 'image/jpeg' } }, inferenceProcesses],
])('of requests with %s an account beside another has so many under way', async (_name, request, wanted) => {
  const app = await openKnown();
  for (let count = 0; count < 20; count += 1) {
    app.send({ method: 'POST', ...request, url: '/a', headers: { ...request.headers, 'x-api-key': 'a1' } });
  }
  await app.settle();
  expect(app.begun).toHaveLength(wanted);
});

const sendImage = (app: ReturnType<typeof openApp>, key: string, signal?: AbortSignal) =>
  app.send({
    ...(signal && { signal }),
    ...{ method: 'POST', url: '/image', payload: 'x'.repeat(8193) },
    headers: { 'content-type': 'image/jpeg', 'x-api-key': key },
  });

test('images of an account beside one that reads are limited, and hold up no small request of either', async () => {
  const app = await openKnown();
  for (let count = 0; count < 20; count += 1) sendImage(app, 'a1');
  await app.settle();
  app.ask('a', 'a1');
  app.ask('b', 'b');
  sendImage(app, 'b');
  await app.settle();
  expect(app.begun).toEqual(['image', 'image', 'image', 'image', 'a', 'b', 'image']);
});

test('images of an account that is alone are under way together', async () => {
  const app = await openKnown();
  await vi.advanceTimersByTimeAsync(10_000);
  for (let count = 0; count < 20; count += 1) sendImage(app, 'a1');
  await app.settle();
  expect(app.begun).toHaveLength(20);
});

test('a stranger who asks does not slow an account that is alone', async () => {
  const app = await openKnown();
  await vi.advanceTimersByTimeAsync(10_000);
  app.send({ url: '/stranger', remoteAddress: '198.51.100.1' });
  for (let count = 0; count < 20; count += 1) app.ask(`a${count}`, 'a1');
  await app.settle();
  expect(app.begun).toHaveLength(21);
});

test('a waiting request whose client left is waiting no longer', async () => {
  const app = await openKnown();
  const client = new AbortController();
  for (let count = 0; count < inferenceProcesses; count += 1) sendImage(app, 'a1');
  sendImage(app, 'a1', client.signal);
  await app.settle();
  expect(app.begun).toHaveLength(inferenceProcesses);
  client.abort();
  await app.settle();
  expect(app.refused).toEqual(['bad_request']);
});

test('a request that waits for longer than a request may take is refused as busy', async () => {
  // Shorter than the turn of an image, so that none of these turns ends before.
  const app = await openKnown(40);
  for (let count = 0; count <= inferenceProcesses; count += 1) sendImage(app, 'a1');
  await app.settle();
  expect(app.begun).toHaveLength(inferenceProcesses);
  await vi.advanceTimersByTimeAsync(39);
  await app.settle();
  expect(app.refused).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  await app.settle();
  expect(app.refused).toEqual(['service_busy']);
});

test('the wait for a turn counts in the time of a request', async () => {
  const app = Fastify();
  const requestTimeoutMs = 1000;
  const isOver: boolean[] = [];
  const handler = createRawBodyHandler(
    async (_request, _reply, signal) => {
      isOver.push(signal.aborted);
      await vi.advanceTimersByTimeAsync(1);
      isOver.push(signal.aborted);
      return {};
    },
    {
      settings: { requestTimeoutMs, maxImageBytes: 1, maxJsonBytes: 1, recognitionParts: 'classes' },
      shutdownSignal: new AbortController().signal,
      rateLimits: {
        checkAddress: async () => undefined,
        checkOpen: async () => undefined,
        checkKey: async () => undefined,
        checkPreview: async () => undefined,
      },
      requestTurns: {
        take: async () => void (await vi.advanceTimersByTimeAsync(requestTimeoutMs - 1)),
        remember: () => undefined,
      },
    },
  );
  app.get('/', { onRequest: handler }, () => undefined);
  await app.inject('/');
  expect(isOver).toEqual([false, true]);
});
