import { type ClientOptions, createLynceusClient, type LynceusClient } from '@lynceus/client';
import { afterEach, expect, test } from 'vitest';
import { type StandIn, startStandIn } from './stand-in.js';

const image = Uint8Array.of(0xff, 0xd8, 0xff);

interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly retryAfter?: string;
}
const busy: Refusal = { status: 503, code: 'service_busy' };
const limited: Refusal = { status: 429, code: 'too_many_requests' };

let standIn: StandIn;
afterEach(() => standIn.stop());

/** A client of a service that refuses as scripted before it answers; `times` fills with when it was asked. */
async function clientOf(refusals: readonly Refusal[], options: Partial<ClientOptions> = {}) {
  const times: number[] = [];
  const left = [...refusals];
  standIn = await startStandIn((request, response) => {
    request.resume().once('end', () => {
      times.push(performance.now());
      const refusal = left.shift();
      if (!refusal) return response.end('{"status": "ok"}');
      const { status, code, retryAfter } = refusal;
      if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter);
      const error = { code, message: 'later', request_id: 'r' };
      return response.writeHead(status).end(code === '' ? '<html>' : JSON.stringify({ status: 'E', error }));
    });
  });
  return {
    times,
    client: createLynceusClient({ baseUrl: standIn.url, apiKey: 'k', maxRetries: 1, ...options }),
  };
}

test('nothing is repeated unless it was asked for', async () => {
  const { client, times } = await clientOf([{ ...busy, retryAfter: '3' }], { maxRetries: undefined });
  await expect(client.recognise(image)).rejects.toMatchObject({ code: 'service_busy', retryAfterMs: 3000 });
  expect(times).toHaveLength(1);
});

test('a busy service is asked again with the same image, after the time it asks for', async () => {
  const { client, times } = await clientOf([{ ...busy, retryAfter: '1' }]);
  expect(await client.detect(image)).toMatchObject({ status: 'ok' });
  const [first = 0, second = 0] = times;
  expect(second - first).toBeGreaterThanOrEqual(990);
});

test('it is asked no more often than allowed', async () => {
  const { client, times } = await clientOf([busy, limited, busy], { maxRetries: 1 });
  await expect(client.recognise(image)).rejects.toMatchObject({ code: 'too_many_requests' });
  expect(times).toHaveLength(2);
});

test.each<[string, Refusal]>([
  ['a refusal of a proxy', { status: 503, code: '' }],
  ['an error under HTTP 200', { ...busy, status: 200 }],
])('%s counts as busy too', async (_what, refusal) => {
  const { client, times } = await clientOf([refusal]);
  await client.recognise(image);
  expect(times).toHaveLength(2);
});

test.each<[string, Refusal, (client: LynceusClient) => Promise<unknown>]>([
  ['a trial used up', { status: 429, code: 'trial_limit' }, ({ detect }) => detect(image)],
  ['a fault of the service', { status: 500, code: 'internal_error' }, ({ detect }) => detect(image)],
  ['a person made while busy', busy, ({ faces }) => faces.createPerson({ modelId: 1001, personName: 'Ada' })],
  ['an image added while busy', busy, ({ faces }) => faces.insertImage(image, { personId: 1001 })],
  ['a key made while busy', busy, ({ keys }) => keys.create({ name: 'a' })],
])('%s is not repeated', async (_what, refusal, call) => {
  const { client, times } = await clientOf([refusal]);
  await expect(call(client)).rejects.toMatchObject({ code: refusal.code });
  expect(times).toHaveLength(1);
});

test('what makes something is repeated after a rate limit, since nothing was done', async () => {
  const { client, times } = await clientOf([limited]);
  await client.faces.createPerson({ modelId: 1001, personName: 'Ada' });
  expect(times).toHaveLength(2);
});

test('a wait longer than the time left is not begun', async () => {
  const { client, times } = await clientOf([{ ...limited, retryAfter: '3600' }]);
  const startedAt = performance.now();
  await expect(client.recognise(image)).rejects.toMatchObject({ retryAfterMs: 3_600_000 });
  expect([times.length, performance.now() - startedAt < 5000]).toEqual([1, true]);
});

test('a signal ends the wait', async () => {
  const controller = new AbortController();
  const { client, times } = await clientOf([], {
    fetch: async () => {
      times.push(performance.now());
      setTimeout(() => controller.abort(), 50);
      return new Response('', { status: 429, headers: { 'retry-after': '20' } });
    },
  });
  const call = client.recognise(image, { signal: controller.signal });
  await expect(call).rejects.toMatchObject({ code: 'aborted' });
  expect(times).toHaveLength(1);
});

test('the time to wait may be a date', async () => {
  const retryAfter = new Date(Date.now() + 90_000).toUTCString();
  const { client } = await clientOf([{ ...limited, retryAfter }], { maxRetries: 0 });
  const { retryAfterMs } = await client.account().catch((error) => error);
  expect(retryAfterMs).toBeGreaterThan(80_000);
  expect(retryAfterMs).toBeLessThanOrEqual(90_000);
});
