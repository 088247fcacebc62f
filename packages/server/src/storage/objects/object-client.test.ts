import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HeadBucketCommand } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { createObjectClient } from './object-client.js';

test('a store that switches to another protocol is not waited for', async () => {
  const head = 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n';
  const store = createServer(({ socket }) => socket.write(head)).listen(0, '127.0.0.1');
  await new Promise((resolve) => store.once('listening', resolve));
  const { port } = store.address() as AddressInfo;
  const client = createObjectClient({
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    isPathStyle: true,
    credentials: { accessKeyId: 'TESTS', secretAccessKey: 'secret' },
  });
  try {
    await expect(client.send(new HeadBucketCommand({ Bucket: 'images' }))).rejects.toThrow('101');
  } finally {
    client.destroy();
    store.closeAllConnections();
    await new Promise((resolve) => store.close(resolve));
  }
});
