import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createDestination } from './create-destination.js';
import { calm, makeDelivery, makeDeps } from './fixtures/deliveries.js';
import { remoteFolderContract } from './fixtures/remote-folder-contract.js';
import { type S3Server, s3Bucket, s3Keys, startS3Server } from './fixtures/s3-server.js';

let scratch: string;
let server: S3Server;
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 's3-destination-'));
  server = await startS3Server();
});
beforeEach(() => server.empty());
afterAll(async () => {
  await server.stop();
  await rm(scratch, { recursive: true, force: true });
});

const secrets = { secretAccessKey: s3Keys.secretAccessKey };
const settings = () => ({
  kind: 's3' as const,
  endpoint: server.endpoint,
  region: 'us-east-1',
  bucket: s3Bucket,
  accessKeyId: s3Keys.accessKeyId,
});

remoteFolderContract(true, () => ({
  scratch,
  remote: {
    ...server,
    reachAt: (port) => ({ endpoint: `http://127.0.0.1:${port}` }),
    settings: settings(),
    secrets,
  },
}));

test('every key has the prefix, and the media type of the image is kept', async () => {
  const delivery = await makeDelivery(scratch, { 'a.jpg': 'image' }, { folders: ['2026'] });
  const { where } = await createDestination(
    { ...settings(), prefix: '/desk/in/' },
    secrets,
    makeDeps(),
  ).deliver(delivery, calm);
  expect(await server.readAll()).toEqual({ 'desk/in/2026/a.jpg': 'image' });
  expect(where).toBe(`${server.endpoint}/${s3Bucket}/desk/in/2026/a.jpg`);
});

test('a file of the same name and content is a delivery of its own, also when it is repeated', async () => {
  const one = await makeDelivery(scratch, { 'a.jpg': 'image' });
  const two = await makeDelivery(scratch, { 'a.jpg': 'image' }, { isRepeated: true });
  const destination = createDestination(settings(), secrets, makeDeps());
  for (const delivery of [one, two, two]) await destination.deliver(delivery, calm);
  expect(Object.keys(await server.readAll()).sort()).toEqual(['a (2).jpg', 'a.jpg']);
});

test('a missing bucket and a wrong access key are reported, the secret is not', async () => {
  const missing = createDestination({ ...settings(), bucket: 'elsewhere' }, secrets, makeDeps());
  await expect(missing.test(calm)).rejects.toMatchObject({ code: 'settings' });
  const wrong = createDestination(
    { ...settings(), accessKeyId: 'NOBODY' },
    { secretAccessKey: 'S3RVERNOBODY' },
    makeDeps(),
  );
  await expect(wrong.test(calm)).rejects.toMatchObject({ code: 'credentials' });
  await expect(wrong.test(calm)).rejects.not.toThrow('S3RVERNOBODY');
});

test('a private address is rejected unless the operator allows its network, by name or number', async () => {
  const deps = makeDeps({ allowedNetworks: [], resolve: () => Promise.resolve(['127.0.0.1']) });
  for (const endpoint of [server.endpoint, `http://store.example:${server.port}`, 'http://[::1]:9000']) {
    const destination = createDestination({ ...settings(), endpoint }, secrets, deps);
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
      await createDestination({ ...settings(), endpoint }, secrets, makeDeps()).deliver(delivery, calm);
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
      const delivering = createDestination({ ...settings(), endpoint }, secrets, makeDeps()).deliver(
        delivery,
        calm,
      );
      await expect(delivering).rejects.toMatchObject({ code });
    },
  );
});

test('a store that never answers times out', async () => {
  await withStore(
    () => undefined,
    async (endpoint) => {
      const deps = makeDeps({
        limits: { connectTimeoutMs: 500, stallTimeoutMs: 500, wholeTimeoutMs: 10_000 },
      });
      await expect(
        createDestination({ ...settings(), endpoint }, secrets, deps).test(calm),
      ).rejects.toMatchObject({
        code: 'unreachable',
      });
    },
  );
});
