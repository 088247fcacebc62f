import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Client, ClientChannel, SFTPWrapper } from 'ssh2';
import { expect, onTestFinished, test } from 'vitest';
import { until } from '../../servers/fixtures/until.js';
import {
  call,
  connectClient,
  connectRawSession,
  connectSftp,
  text,
  uint32,
  uint64,
} from '../fixtures/sftp-client.js';
import { startTestSftp, type TestSftpOptions } from '../fixtures/test-sftp.js';

async function started(options: TestSftpOptions = {}) {
  const server = await startTestSftp(options);
  onTestFinished(() => server.stop());
  return server;
}

test('half handshakes end after their time, and leave room for others', async () => {
  const server = await started({ limits: { logInTimeoutMs: 100, maxPerAddress: 3 } });
  const sockets = ['', 'SSH-2.0-x\r\n', 'SSH-2.0-x'].map((start) => {
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => undefined).resume();
    socket.write(start);
    return socket;
  });
  await until(() => sockets.every(({ destroyed }) => destroyed));
  const next = connect(server.port, '127.0.0.1');
  expect((await once(next, 'data')).toString()).toBe('SSH-2.0-Lynceus\r\n');
});

test('connections over the limit of an address are refused with the reason', async () => {
  const server = await started({ limits: { maxPerAddress: 1 } });
  await connectClient(server);
  const socket = connect(server.port, '127.0.0.1');
  let said = '';
  socket.on('data', (chunk) => {
    said += chunk.toString();
  });
  await until(() => said !== '');
  expect(said).toBe('Too many connections; try later.\r\n');
});

test.each([
  ['HTTP', 'GET / HTTP/1.1\r\n\r\n'],
  ['bytes', randomBytes(10_000)],
  ['a long line', 'SSH-2.0-'.padEnd(100_000, 'x')],
  ['an SSH that goes on in bytes', Buffer.concat([Buffer.from('SSH-2.0-x\r\n'), randomBytes(50_000)])],
])('what is no SSH ends the connection: %s', async (_what, bytes) => {
  const server = await started();
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => undefined).resume();
  socket.write(bytes);
  await until(() => socket.destroyed);
  await connectClient(server);
});

test.each([
  ['longer than any may be', uint32(10_000_000)],
  ['empty', uint32(0)],
  ['no INIT', Buffer.concat([uint32(5), Uint8Array.of(17), uint32(1)])],
])('a packet that is %s ends the connection', async (_what, packet) => {
  const server = await started();
  const session = await connectRawSession(server);
  session.channel.write(packet);
  expect(await session.hear()).toBe(null);
  expect(server.events.at(-1)).toMatchObject({ kind: 'protocol-error' });
});

test('a field that is longer than its packet ends the connection', async () => {
  const server = await started();
  const session = await connectRawSession(server);
  session.send(1, uint32(3));
  await session.hear();
  session.send(17, uint32(1), uint32(1_000_000));
  expect(await session.hear()).toBe(null);
});

test('a flood of requests whose answers are never read takes bounded memory, and ends', async () => {
  const server = await started({ limits: { replyTimeoutMs: 300 } });
  server.folders.put('/done/large.jpg', randomBytes(1_000_000));
  const session = await connectRawSession(server);
  session.send(1, uint32(3));
  session.send(3, uint32(1), text('/done/large.jpg'), uint32(1), uint32(0));
  await session.hear();
  await session.hear();
  session.channel.pause();
  const before = process.memoryUsage().arrayBuffers;
  const ended = once(session.client, 'close');
  for (let index = 0; index < 4000; index++)
    session.send(5, uint32(index), text('1'), uint64(0), uint32(200_000));
  let most = 0;
  const sampling = setInterval(() => {
    most = Math.max(most, process.memoryUsage().arrayBuffers);
  }, 5);
  await ended;
  clearInterval(sampling);
  // 800 MB of answers were asked for.
  expect(most - before).toBeLessThan(60_000_000);
  const sftp = await connectSftp(server);
  expect(await call<string>((done) => sftp.realpath('.', done))).toBe('/incoming');
});

test('others are served during a flood of requests that cost nothing', async () => {
  const server = await started();
  const session = await connectRawSession(server);
  session.send(1, uint32(3));
  const flood = Buffer.concat(
    Array.from({ length: 50_000 }, (_, id) =>
      Buffer.concat([uint32(10), Uint8Array.of(16), uint32(id), text('.')]),
    ),
  );
  session.channel.resume().write(flood);
  const sftp = await connectSftp(server);
  const startedAt = performance.now();
  expect(await call<string>((done) => sftp.realpath('.', done))).toBe('/incoming');
  expect(performance.now() - startedAt).toBeLessThan(2000);
});

test('handles that are never closed are limited, and end with the session', async () => {
  const server = await started();
  const sftp = await connectSftp(server);
  const open = (path: string) => call<Buffer>((done) => sftp.open(path, 'w', done));
  for (let index = 0; index < 20; index++) await open(`${index}.jpg`);
  await expect(open('more.jpg')).rejects.toThrow(/20 files and folders are open/);
  await expect(call<Buffer>((done) => sftp.opendir('.', done))).rejects.toThrow(/are open/);
  expect(server.folders.openUploads).toBe(20);
  sftp.end();
  await until(() => server.folders.openUploads === 0);
  expect(server.folders.arrived).toEqual([]);
});

test.each([
  ['a connection', { maxHeldBytes: 10_000 }, true],
  ['all connections', { maxHeldBytesOfAll: 10_000 }, false],
])(
  'writes that wait for others are limited for the files of %s together',
  async (_what, limits, isShared) => {
    const server = await started({ limits });
    const one = await connectSftp(server);
    const other = isShared ? one : await connectSftp(server);
    const piece = Buffer.alloc(8000);
    const open = (sftp: SFTPWrapper, path: string) => call<Buffer>((done) => sftp.open(path, 'w', done));
    const write = (sftp: SFTPWrapper, handle: Buffer, at: number) =>
      call<void>((done) => sftp.write(handle, piece, 0, 8000, at, (error) => done(error, undefined)));
    const [first, second] = [await open(one, 'first.jpg'), await open(other, 'second.jpg')];
    const held = write(one, first, 8000);
    await call<string>((done) => one.realpath('.', done));
    await expect(write(other, second, 8000)).rejects.toThrow(/without a hole/);
    await Promise.all([write(one, first, 0), held]);
    // There is room again.
    const third = await open(other, 'third.jpg');
    await Promise.all([write(other, third, 8000), write(other, third, 0)]);
  },
);

test('a write that waits too long for another fails while the client asks for other things', async () => {
  const server = await started({ limits: { gapTimeoutMs: 100 } });
  const sftp = await connectSftp(server);
  const handle = await call<Buffer>((done) => sftp.open('hole.jpg', 'w', done));
  let failed = '';
  sftp.write(handle, Buffer.alloc(10), 0, 10, 20, (error) => {
    failed = error?.message ?? 'written';
  });
  const asking = setInterval(() => sftp.realpath('.', () => undefined), 10);
  await until(() => failed !== '');
  clearInterval(asking);
  expect(failed).toMatch(/no hole/);
});

test('channels of one connection are limited, and free again when they are closed', async () => {
  const server = await started();
  const client = await connectClient(server);
  const open = () => call<ClientChannel>((done) => client.subsys('sftp', done));
  const [first] = [await open(), await open(), await open(), await open()];
  await expect(open()).rejects.toThrow(/Channel open failure/);
  // The library reports the end of a channel that is read.
  first?.resume().close();
  await once(first ?? client, 'close');
  await open();
});

test('a folder of a million entries is listed in pieces, as far as it is read', async () => {
  let given = 0;
  const shown = {
    ...(await started()).folders,
    async *list() {
      for (; given < 1_000_000; given++)
        yield { name: `${given}.jpg`, kind: 'file' as const, sizeBytes: 1, modifiedMs: 0 };
    },
  };
  const server = await started({ shown });
  const sftp = await connectSftp(server);
  const handle = await call<Buffer>((done) => sftp.opendir('/incoming', done));
  const entries = await call<readonly object[]>((done) => sftp.readdir(handle as never, done));
  expect(entries).toHaveLength(100);
  expect(given).toBeLessThanOrEqual(100);
});

test.each([0, 1, 4095])(
  'a channel whose packets have %i bytes at most ends the connection',
  async (bytes) => {
    const server = await started();
    for (const open of ['subsys', 'exec'] as const) {
      const client = await connectClient(server);
      client.on('error', () => undefined);
      setPacketSize(client, bytes);
      const ended = once(client, 'close');
      client[open](open === 'subsys' ? 'sftp' : 'ls', () => undefined);
      await ended;
    }
    const sftp = await connectSftp(server);
    expect(await call<string>((done) => sftp.realpath('.', done))).toBe('/incoming');
  },
);

test('channels that are opened and closed for nothing end the connection', async () => {
  const server = await started();
  const client = await connectClient(server);
  const protocol = protocolOf(client);
  let opened = 0;
  const open = (): void => protocol.session(opened++, 1 << 21, 32_768);
  protocol._handlers['CHANNEL_OPEN_CONFIRMATION'] = (_protocol, { sender }) => {
    protocol.channelClose(sender);
    open();
  };
  protocol._handlers['CHANNEL_CLOSE'] = () => undefined;
  const ended = once(client, 'close');
  open();
  await ended;
  expect(opened).toBeLessThan(200);
});

/** What the library has no option for. */
interface Protocol {
  session(channel: number, window: number, packetBytes: number): void;
  channelClose(channel: number): void;
  readonly _handlers: Record<string, (protocol: unknown, info: { readonly sender: number }) => void>;
}

function protocolOf(client: Client): Protocol {
  return (client as unknown as { readonly _protocol: Protocol })._protocol;
}

/** That the client says it takes. */
function setPacketSize(client: Client, bytes: number): void {
  const protocol = protocolOf(client);
  const open = protocol.session.bind(protocol);
  protocol.session = (channel, window) => open(channel, window, bytes);
}

/** Connects without end, and leaves once the server begins the handshake. Answers how many it began. */
function floodWithHandshakes(port: number, until: AbortSignal) {
  const counts = { begun: 0 };
  const open = () => {
    if (until.aborted) return;
    const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.3' });
    socket.on('error', () => undefined);
    socket.once('data', (chunk) => {
      if (chunk.toString().startsWith('SSH-')) counts.begun += 1;
      socket.destroy();
    });
    socket.once('close', open);
    until.addEventListener('abort', () => socket.destroy(), { once: true });
  };
  for (let index = 0; index < 20; index++) open();
  return counts;
}

test('an address that connects without end has so many key exchanges a second, and another is served at once', async () => {
  const server = await started({
    limits: { handshakesPerSecond: 5, handshakeBurst: 5, handshakesPerSecondOfAll: 25 },
  });
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const startedAt = performance.now();
  const counts = floodWithHandshakes(server.port, stop.signal);
  await until(() => counts.begun >= 5);
  const other = connect({ port: server.port, host: '127.0.0.1', localAddress: '127.0.0.4' });
  const askedAt = performance.now();
  expect((await once(other, 'data')).toString()).toBe('SSH-2.0-Lynceus\r\n');
  expect(performance.now() - askedAt).toBeLessThan(1000);
  other.destroy();
  await until(() => counts.begun >= 10);
  const seconds = (performance.now() - startedAt) / 1000;
  expect(counts.begun).toBeLessThanOrEqual(5 + 5 * seconds + 1);
});

test('a connection that exchanges keys without end is ended', async () => {
  const server = await started({ limits: { handshakesPerSecond: 1, handshakeBurst: 3 } });
  const client = await connectClient(server);
  const closed = once(client, 'close');
  // The library's client has no method of its own for it.
  const { rekey } = Reflect.get(client, '_protocol') as { rekey(this: unknown): void };
  let exchanges = 0;
  const again = () => {
    exchanges += 1;
    rekey.call(Reflect.get(client, '_protocol'));
  };
  client.on('error', () => undefined).on('handshake', again);
  again();
  await closed;
  expect(exchanges).toBeLessThan(15);
  // Others of the address go on, each in its time.
  await connectClient(server);
});
