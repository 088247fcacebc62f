import { mkdtemp, rm } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDestination } from './create-destination.js';
import type { DestinationSecrets } from './destination-settings.js';
import { makeCertificate } from './fixtures/certificate.js';
import { calm, makeDelivery, makeDeps } from './fixtures/deliveries.js';
import { haveServer } from './fixtures/have-server.js';
import { type ReceivedForm, receiveForms, withHttp } from './fixtures/remote-http.js';

const haveOpenssl = haveServer('/usr/bin/openssl', 'openssl');

let scratch: string;
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'http-destination-'));
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

const open = (address: string, secrets: DestinationSecrets = {}, more = {}, deps = {}) =>
  createDestination({ kind: 'http', address: `${address}/in`, ...more }, secrets, makeDeps(deps));

test('image, sidecar, labels and path arrive as one form under the id of the delivery', async () => {
  const received: ReceivedForm[] = [];
  const labels = [{ label: 'Hündin', score: 0.9 }];
  const delivery = await makeDelivery(
    scratch,
    { 'a.xmp': 'side', 'ä"b.jpg': 'image' },
    { folders: ['x', 'y'], labels },
  );
  await withHttp(receiveForms(received), async (address) => {
    const { where } = await open(address).deliver(delivery, calm);
    expect(where).toBe(`${address}/in`);
  });
  expect(received).toMatchObject([
    {
      url: '/in',
      headers: { 'idempotency-key': delivery.id },
      fields: { labels: JSON.stringify(labels), path: 'x/y/ä"b.jpg' },
      files: [
        ['sidecar', 'a.xmp', 'image/jpeg', 'side'],
        ['file', 'ä%22b.jpg', 'image/jpeg', 'image'],
      ],
    },
  ]);
});

test('a repeated delivery has the same idempotency key', async () => {
  const received: ReceivedForm[] = [];
  const delivery = await makeDelivery(scratch, { 'a.jpg': 'image' });
  await withHttp(receiveForms(received), async (address) => {
    for (const isRepeated of [false, true]) await open(address).deliver({ ...delivery, isRepeated }, calm);
  });
  expect(received.map(({ headers }) => headers['idempotency-key'])).toEqual([delivery.id, delivery.id]);
});

test('token, password, header and query are sent, and appear in no error', async () => {
  const received: ReceivedForm[] = [];
  await withHttp(receiveForms(received), async (address) => {
    await open(address, { token: 'secret-token' }).test(calm);
    await open(address, { password: 'secret-password' }, { user: 'desk' }).test(calm);
    const { where } = await open(
      address,
      { headerValue: 'secret-value', query: 'key=secret-query' },
      { headerName: 'X-Key' },
    ).test(calm);
    expect(where).toBe(`${address}/in`);
  });
  expect(received.map(({ url, headers }) => [url, headers.authorization, headers['x-key']])).toEqual([
    ['/in', 'Bearer secret-token', undefined],
    ['/in', `Basic ${Buffer.from('desk:secret-password').toString('base64')}`, undefined],
    ['/in?key=secret-query', undefined, 'secret-value'],
  ]);
});

const answer =
  (status: number, text: string, headers = {}): RequestListener =>
  (request, response) => {
    request.resume().on('end', () => response.writeHead(status, headers).end(text));
  };

test.each([
  [401, 'credentials'],
  [403, 'credentials'],
  [404, 'settings'],
  [413, 'refused'],
  [422, 'refused'],
  [429, 'unreachable'],
  [500, 'unreachable'],
  [507, 'full'],
])('an answer of %i is reported as %s, with the text of the receiver', async (status, code) => {
  await withHttp(answer(status, 'because\r\nof \u001b[31mthis'), async (address) => {
    await expect(open(address).test(calm)).rejects.toMatchObject({
      code,
      message: expect.stringContaining('because of [31mthis'),
    });
  });
});

test('a redirect is reported and not followed', async () => {
  const visited: (string | undefined)[] = [];
  const redirect: RequestListener = (request, response) => {
    visited.push(request.url);
    answer(307, '', { location: '/elsewhere' })(request, response);
  };
  await withHttp(redirect, async (address) => {
    await expect(open(address).test(calm)).rejects.toMatchObject({ code: 'settings' });
  });
  expect(visited).toEqual(['/in']);
});

test('secrets that a receiver echoes are not shown', async () => {
  const echo: RequestListener = (request, response) => {
    request
      .resume()
      .on('end', () =>
        response.writeHead(400).end(`${request.headers.authorization} ${'x'.repeat(180)} ${request.url}`),
      );
  };
  await withHttp(echo, async (address) => {
    const failed = open(address, { password: 'p4ssw0rd', query: 'k=qu3ry' }, { user: 'desk' }).test(calm);
    const error: unknown = await failed.catch((caught: unknown) => caught);
    const shown = JSON.stringify([String(error), error instanceof Error ? [error.cause, error.stack] : null]);
    expect(shown).toContain('***');
    for (const secret of ['p4ssw0rd', 'qu3ry', Buffer.from('desk:p4ssw0rd').toString('base64')]) {
      expect(shown).not.toContain(secret);
    }
  });
});

test('an endless answer is read up to a limit', async () => {
  const endless: RequestListener = (request, response) => {
    request.resume();
    response.writeHead(400);
    const timer = setInterval(() => response.write('x'.repeat(10_000)), 1);
    response.on('close', () => clearInterval(timer));
  };
  await withHttp(endless, async (address) => {
    await expect(open(address).test(calm)).rejects.toMatchObject({ code: 'refused' });
  });
});

test.each([
  ['never answers', () => undefined],
  ['closes the connection', (request: Parameters<RequestListener>[0]) => void request.socket.destroy()],
] satisfies [string, RequestListener][])(
  'a receiver that %s is reported as unreachable',
  async (_what, listener) => {
    const limits = { connectTimeoutMs: 300, stallTimeoutMs: 300, wholeTimeoutMs: 10_000 };
    await withHttp(listener, async (address) => {
      await expect(open(address, {}, {}, { limits }).test(calm)).rejects.toMatchObject({
        code: 'unreachable',
      });
    });
  },
);

test('an abort ends the call at once with its reason', async () => {
  const stop = new AbortController();
  const reason = new Error('no longer wanted');
  await withHttp(
    () => stop.abort(reason),
    async (address) => {
      await expect(open(address).test(stop.signal)).rejects.toBe(reason);
    },
  );
});

test('a private address is rejected unless the operator allows its network', async () => {
  const visited: unknown[] = [];
  await withHttp(
    (request) => visited.push(request.url),
    async (address) => {
      const deps = { allowedNetworks: [], resolve: () => Promise.resolve(['127.0.0.1']) };
      for (const host of [
        address,
        address.replace('127.0.0.1', 'desk.example'),
        'http://[::ffff:127.0.0.1]:8080',
      ]) {
        await expect(open(host, {}, {}, deps).test(calm)).rejects.toMatchObject({
          code: 'not-allowed',
          message: expect.stringMatching(/LYNCEUS_DELIVERY_ALLOWED_NETWORKS=[\da-f:.[\]]+\/\d+/),
        });
      }
    },
  );
  expect(visited).toEqual([]);
});

test('low ports of other protocols are rejected', async () => {
  await expect(open('http://127.0.0.1:25').test(calm)).rejects.toMatchObject({ code: 'not-allowed' });
});

test.skipIf(!haveOpenssl)(
  'a certificate of an unknown issuer is rejected unless it is configured',
  async () => {
    const received: ReceivedForm[] = [];
    const own = makeCertificate(scratch, 'receiver');
    const otherName = makeCertificate(scratch, 'other-name', 'DNS:other.example');
    await withHttp(
      receiveForms(received),
      async (address) => {
        await expect(open(address).test(calm)).rejects.toMatchObject({ code: 'identity' });
        await expect(
          open(address, {}, { certificate: otherName.certificate }).test(calm),
        ).rejects.toMatchObject({
          code: 'identity',
        });
        expect(received).toEqual([]);
        await open(address, {}, { certificate: own.certificate }).test(calm);
      },
      own,
    );
    await withHttp(
      receiveForms(received),
      (address) =>
        open(address, {}, { certificate: otherName.certificate })
          .test(calm)
          .then(() => undefined),
      otherName,
    );
    expect(received).toHaveLength(2);
  },
);
