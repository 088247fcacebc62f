import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { localDeps } from '../fixtures/test-stream.js';
import { openRtmpRelay } from './rtmp-relay.js';

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const each of cleanUp.splice(0).reverse()) await each();
});
const until = (condition: () => boolean) => vi.waitUntil(condition, { timeout: 30_000, interval: 10 });

/** A server that keeps what comes on each connection. */
async function startServer() {
  const received: Buffer[] = [];
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    const index = sockets.push(socket) - 1;
    received[index] = Buffer.alloc(0);
    socket.on('error', () => undefined);
    socket.on('data', (bytes: Buffer) => {
      received[index] = Buffer.concat([received[index] ?? Buffer.alloc(0), bytes]);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUp.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, received, sockets };
}

async function openRelay(serverPort: number) {
  const relay = await openRtmpRelay(
    {
      url: `rtmp://127.0.0.1:${serverPort}/live/key`,
      credentials: null,
      connect: { reach: localDeps.reach, isCertificateUnchecked: false, connectTimeoutMs: 20_000 },
    },
    new AbortController().signal,
  );
  cleanUp.push(() => relay.close());
  const [, port] = /127\.0\.0\.1:(\d+)/.exec(relay.inputText ?? '') ?? [];
  const [, token = ''] = /option rtmp_conn 'S:([0-9a-f]{32})'/.exec(relay.inputText ?? '') ?? [];
  const connectClient = async () => {
    const client = connect(Number(port), '127.0.0.1');
    client.on('error', () => undefined);
    cleanUp.push(() => client.destroy());
    await once(client, 'connect');
    return client;
  };
  return { relay, token, connectClient };
}

const handshake = Buffer.concat([Buffer.from([3]), Buffer.alloc(3072, 7)]);
const command = Buffer.from('a'.repeat(300));

/** The first message of RTMP, in chunks of 128 bytes. */
function message(content: Buffer): Buffer {
  const header = Buffer.from([3, 0, 0, 0, 0, 0, 0, 20, 0, 0, 0, 0]);
  header.writeUIntBE(content.length, 4, 3);
  const parts: Buffer[] = [header];
  for (let at = 0; at < content.length; at += 128) {
    if (at > 0) parts.push(Buffer.from([0xc3]));
    parts.push(content.subarray(at, at + 128));
  }
  return Buffer.concat(parts);
}
const withToken = (token: string) =>
  message(Buffer.concat([command, Buffer.from([2, 0, token.length]), Buffer.from(token)]));

test.each([1, 100, 5000])(
  'who has the token speaks to the server, which never sees it, %i bytes at a time',
  async (step) => {
    const server = await startServer();
    const { token, connectClient } = await openRelay(server.port);
    const client = await connectClient();
    client.setNoDelay(true);
    const sent = Buffer.concat([handshake, withToken(token), Buffer.from('what follows')]);
    for (let at = 0; at < sent.length; at += step) client.write(sent.subarray(at, at + step));
    const expected = Buffer.concat([handshake, message(command), Buffer.from('what follows')]);
    await until(() => server.received[0]?.length === expected.length);
    expect(server.received[0]).toEqual(expected);
    server.sockets[0]?.end('an answer');
    const [answer] = await once(client, 'data');
    expect(String(answer)).toBe('an answer');
  },
);

test.each([
  ['has no token', () => message(command)],
  ['has another token', () => withToken('0'.repeat(32))],
  ['begins with another message', () => Buffer.from([2, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0, 0, 0, 0, 16, 0])],
  ['sends a message without end', () => Buffer.from([3, 0, 0, 0, 255, 255, 255, 20, 0, 0, 0, 0])],
])(
  'a program that %s gets no further than the handshake, and ffmpeg comes after it',
  async (_what, first) => {
    const server = await startServer();
    const { relay, token, connectClient } = await openRelay(server.port);
    const stranger = await connectClient();
    stranger.write(Buffer.concat([handshake, first(), Buffer.from('secret request')]));
    await until(() => server.sockets[0]?.destroyed === true);
    expect(server.received[0]).toEqual(handshake);
    expect(relay.failure()).toBeNull();
    const client = await connectClient();
    client.write(Buffer.concat([handshake, withToken(token)]));
    await until(() => server.received[1]?.length === handshake.length + message(command).length);
  },
);

test('a program that does not speak RTMP is not passed on at all', async () => {
  const server = await startServer();
  const { connectClient } = await openRelay(server.port);
  const stranger = await connectClient();
  stranger.write('GET / HTTP/1.1\r\n\r\n');
  await until(() => server.sockets[0]?.destroyed === true);
  expect(server.received[0]).toHaveLength(0);
});

test('a server that cuts the connection is said to', async () => {
  const server = await startServer();
  const { relay, token, connectClient } = await openRelay(server.port);
  const client = await connectClient();
  client.write(Buffer.concat([handshake, withToken(token)]));
  await until(() => (server.received[0]?.length ?? 0) > handshake.length);
  server.sockets[0]?.resetAndDestroy();
  await until(() => relay.failure() !== null);
  expect(relay.failure()).toMatchObject({ code: 'unreachable' });
});
