import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { haveStore } from '../storage/blobs/fixtures/store-programs.js';
import { createDestination } from './create-destination.js';
import { calm, makeDelivery, makeDeps } from './fixtures/deliveries.js';
import { remoteFolderContract } from './fixtures/remote-folder-contract.js';
import { type S3Server, startS3Server } from './fixtures/s3-server.js';

const isHere = haveStore('ceph');
const maybe = test.skipIf(!isHere);

let scratch: string;
let server: S3Server;
beforeAll(async () => {
  if (!isHere) return;
  scratch = await mkdtemp(join(tmpdir(), 's3-store-'));
  server = await startS3Server();
});
beforeEach(async () => {
  if (isHere) await server.empty();
});
afterAll(async () => {
  if (!isHere) return;
  await server.stop();
  await rm(scratch, { recursive: true, force: true });
});

remoteFolderContract(isHere, () => ({
  scratch,
  remote: { ...server, reachAt: (port) => ({ endpoint: `http://127.0.0.1:${port}` }) },
}));

maybe('every key has the prefix, and the media type of the image is kept', async () => {
  const { settings, secrets } = server;
  const delivery = await makeDelivery(scratch, { 'a.jpg': 'image' }, { folders: ['2026'] });
  const destination = createDestination({ ...settings, prefix: '/desk/in/' }, secrets, makeDeps());
  const { where } = await destination.deliver(delivery, calm);
  expect(await server.readAll()).toEqual({ 'desk/in/2026/a.jpg': 'image' });
  expect(where).toBe(`${settings.endpoint}/${settings.bucket}/desk/in/2026/a.jpg`);
});

maybe('a file of the same name and content is a delivery of its own, also when it is repeated', async () => {
  const one = await makeDelivery(scratch, { 'a.jpg': 'image' });
  const two = await makeDelivery(scratch, { 'a.jpg': 'image' }, { isRepeated: true });
  const destination = createDestination(server.settings, server.secrets, makeDeps());
  for (const delivery of [one, two, two]) await destination.deliver(delivery, calm);
  expect(Object.keys(await server.readAll()).sort()).toEqual(['a (2).jpg', 'a.jpg']);
});

maybe('a missing bucket, a wrong access key and a wrong secret are reported, the secret is not', async () => {
  const { settings, secrets } = server;
  const missing = createDestination({ ...settings, bucket: 'elsewhere' }, secrets, makeDeps());
  await expect(missing.test(calm)).rejects.toMatchObject({ code: 'settings' });
  const secretAccessKey = 'secret-of-nobody';
  for (const accessKeyId of [settings.accessKeyId, 'NOBODY']) {
    const wrong = createDestination({ ...settings, accessKeyId }, { secretAccessKey }, makeDeps());
    await expect(wrong.test(calm)).rejects.toMatchObject({ code: 'credentials' });
    await expect(wrong.test(calm)).rejects.not.toThrow(secretAccessKey);
  }
});
