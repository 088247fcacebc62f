import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDestination } from './create-destination.js';
import { calm, makeDelivery, makeDeps } from './fixtures/deliveries.js';

// What a real store does is in s3-store.slow.test.ts; here answers are scripted.
let scratch: string;
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 's3-destination-'));
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

const secrets = { secretAccessKey: 'secret' };
const settings = {
  kind: 's3' as const,
  region: 'us-east-1',
  bucket: 'images',
  accessKeyId: 'TESTS',
};

test('a private address is rejected unless the operator allows its network, by name or number', async () => {
  const deps = makeDeps({ allowedNetworks: [], resolve: () => Promise.resolve(['127.0.0.1']) });
  for (const host of ['127.0.0.1', 'store.example', '[::1]']) {
    const destination = createDestination({ ...settings, endpoint: `http://${host}:9000` }, secrets, deps);
    await expect(destination.test(calm)).rejects.toMatchObject({ code: 'not-allowed' });
  }
});

/** A store that answers as the test defines. */
async function withStore(answer: RequestListener, use: (endpoint: string) => Promise<void>): Promise<void> {
  const store = createServer(answer).listen(0, '127.0.0.1');
  await new Promise((resolve) => store.once('listening', resolve));
  const address = store.address();
  try {
    await use(`http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`);
  } finally {
    store.closeAllConnections();
    await new Promise((resolve) => store.close(resolve));
  }
}

test('the content is signed, its checksum is sent, and only a free name is written', async () => {
  const seen: Record<string, unknown>[] = [];
  await withStore(
    (request, response) => {
      const { method, headers } = request;
      if (method === 'PUT') seen.push(headers);
      request.resume().on('end', () => {
        const isThere = seen.length > 0;
        response
          .writeHead(method === 'HEAD' && !isThere ? 404 : 200, {
            'content-length': method === 'HEAD' ? 5 : 0,
          })
          .end();
      });
    },
    async (endpoint) => {
      const delivery = await makeDelivery(scratch, { 'a.jpg': 'image' });
      await createDestination({ ...settings, endpoint }, secrets, makeDeps()).deliver(delivery, calm);
      const [file] = delivery.files;
      expect(seen).toEqual([
        expect.objectContaining({
          'content-type': 'image/jpeg',
          'content-length': '5',
          'if-none-match': '*',
          'x-amz-content-sha256': file?.sha256,
          'x-amz-checksum-sha256': Buffer.from(file?.sha256 ?? '', 'hex').toString('base64'),
          'x-amz-meta-lynceus-parcel': delivery.id,
        }),
      ]);
    },
  );
});

test.each([
  [507, 'StorageFull', 'full'],
  [503, 'SlowDown', 'unreachable'],
  [403, 'AccessDenied', 'refused'],
  [403, 'SignatureDoesNotMatch', 'credentials'],
  [400, 'BadDigest', 'mismatch'],
])('an answer of %i %s is reported as %s', async (status, name, code) => {
  await withStore(
    (request, response) => {
      request.resume().on('end', () => {
        const isWanted = request.method === 'PUT';
        response.writeHead(isWanted ? status : 404, { 'content-type': 'application/xml' });
        response.end(isWanted ? `<Error><Code>${name}</Code><Message>said</Message></Error>` : '');
      });
    },
    async (endpoint) => {
      const delivery = await makeDelivery(scratch, { 'a.jpg': 'image' });
      const delivering = createDestination({ ...settings, endpoint }, secrets, makeDeps()).deliver(
        delivery,
        calm,
      );
      await expect(delivering).rejects.toMatchObject({ code });
    },
  );
});

const switching: RequestListener = ({ socket }) =>
  socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n');

const endlessHeaders: RequestListener = ({ socket }) => {
  socket.write('HTTP/1.1 200 OK\r\n');
  const timer = setInterval(() => socket.write('X'), 50);
  socket.on('close', () => clearInterval(timer)).on('error', () => undefined);
};

test.each([
  ['never answers', () => undefined],
  ['switches to another protocol', switching],
  ['never ends its headers', endlessHeaders],
])('a store that %s times out', async (_what, answer) => {
  await withStore(answer, async (endpoint) => {
    const deps = makeDeps({
      limits: { connectTimeoutMs: 500, stallTimeoutMs: 500, wholeTimeoutMs: 10_000 },
    });
    await expect(
      createDestination({ ...settings, endpoint }, secrets, deps).test(calm),
    ).rejects.toMatchObject({
      code: 'unreachable',
    });
  });
});
