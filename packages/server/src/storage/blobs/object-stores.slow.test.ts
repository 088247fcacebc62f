import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startFaultyProxy } from './fixtures/faulty-proxy.js';
import { clientOf } from './fixtures/object-client.js';
import type { ObjectServer } from './fixtures/object-server.js';
import { startRadosgw } from './fixtures/radosgw.js';
import { haveStore } from './fixtures/store-programs.js';
import { startSwift } from './fixtures/swift.js';

describe.each([
  { name: 'ceph' as const, startStore: startRadosgw },
  { name: 'swift' as const, startStore: startSwift },
])('the store of the tests on $name', ({ name, startStore }) => {
  const isHere = haveStore(name);
  const maybe = test.skipIf(!isHere);
  let server: ObjectServer;
  let client: S3Client;
  beforeAll(async () => {
    if (!isHere) return;
    server = await startStore();
    client = clientOf(server);
  });
  afterAll(async () => {
    client?.destroy();
    await server?.stop();
  });
  const put = (at: S3Client, Key: string, Body: string, ContentMD5?: string) =>
    at.send(new PutObjectCommand({ Bucket: server.bucket, Key, Body, ContentMD5 }));
  const get = async (at: S3Client, Key: string) =>
    (await at.send(new GetObjectCommand({ Bucket: server.bucket, Key }))).Body?.transformToString();

  maybe('refuses a wrong secret and a wrong checksum', async () => {
    const stranger = clientOf({ ...server, secretAccessKey: 'another' });
    await expect(put(stranger, 'a', 'x')).rejects.toMatchObject({ name: 'SignatureDoesNotMatch' });
    await expect(put(client, 'a', 'x', 'rL0Y20zC+Fzt72VPzMSk2A==')).rejects.toMatchObject({
      name: 'BadDigest',
    });
  });

  maybe('has what it stored after it was killed, on the same port', async () => {
    await put(client, 'kept', 'content');
    await server.kill();
    await expect(get(clientOf(server, 1), 'kept')).rejects.toThrow();
    await server.start();
    expect(await get(client, 'kept')).toBe('content');
  });

  maybe('answers nothing while it is paused, and then what was asked', async () => {
    await put(client, 'paused', 'content');
    server.pause();
    const asked = client.send(new ListObjectsV2Command({ Bucket: server.bucket }));
    const silence = new Promise((resolve) => setTimeout(resolve, 500, 'silence'));
    expect(await Promise.race([asked, silence])).toBe('silence');
    server.resume();
    expect((await asked).KeyCount).toBeGreaterThan(0);
  });

  maybe('is reached through a proxy that delays, refuses and cuts in the middle of an answer', async () => {
    const proxy = await startFaultyProxy(server.port);
    const through = clientOf({ ...server, endpoint: `http://127.0.0.1:${proxy.port}` }, 1);
    const content = 'x'.repeat(200_000);
    await put(through, 'far', content);
    proxy.faults.cutAfterBytesBack = 100_000;
    await expect(get(through, 'far')).rejects.toThrow();
    proxy.faults.cutAfterBytesBack = Infinity;
    proxy.faults.isRefusing = true;
    proxy.cut();
    await expect(get(through, 'far')).rejects.toThrow();
    proxy.faults.isRefusing = false;
    proxy.faults.delayMs = 200;
    const before = performance.now();
    expect(await get(through, 'far')).toBe(content);
    expect(performance.now() - before).toBeGreaterThan(390);
    through.destroy();
    await proxy.stop();
  });
});
