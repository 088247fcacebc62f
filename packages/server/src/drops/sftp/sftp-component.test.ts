import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { binaryHeader } from '../servers/fixtures/proxy-headers.js';
import { until } from '../servers/fixtures/until.js';
import { call, connectClient, connectSftp } from './fixtures/sftp-client.js';
import { password, startTestSftp } from './fixtures/test-sftp.js';

test('behind a balancer, the client is the one that its header names, and a connection without a header is closed', async () => {
  const server = await startTestSftp({ proxies: ['127.0.0.1'] });
  onTestFinished(() => server.stop());
  const sock = connect(server.port, '127.0.0.1');
  await once(sock, 'connect');
  sock.write(binaryHeader('203.0.113.9', '198.51.100.7'));
  await connectClient(server, { sock, password });
  expect(server.events.at(-1)).toMatchObject({ kind: 'logged-in', address: '203.0.113.9' });
  const bare = connect(server.port, '127.0.0.1');
  bare.on('error', () => undefined).resume();
  bare.write('SSH-2.0-x\r\n');
  await until(() => bare.destroyed);
  expect(server.events.at(-1)).toMatchObject({ kind: 'bad-proxy-header', address: '127.0.0.1' });
});

test('a second connection from the same address and port, to another address here, is closed', async () => {
  const server = await startTestSftp();
  onTestFinished(() => server.stop());
  const first = connect({ host: '127.0.0.1', port: server.port, localAddress: '127.0.0.1' });
  await once(first, 'data');
  const { localPort = 0 } = first;
  const second = connect({ host: '127.0.0.2', port: server.port, localAddress: '127.0.0.1', localPort });
  second.on('error', () => undefined).resume();
  await until(() => second.destroyed);
  expect(first.destroyed).toBe(false);
});

test('a service that stops takes no new file, finishes the open one, and ends the connection', async () => {
  const server = await startTestSftp();
  onTestFinished(() => server.stop());
  const sftp = await connectSftp(server);
  const open = (path: string) => call<Buffer>((done) => sftp.open(path, 'w', done));
  const handle = await open('open.jpg');
  const drained = server.component.drain?.(new AbortController().signal);
  await expect(open('late.jpg')).rejects.toThrow('The service stops; come back later.');
  const act = (start: (done: (error?: Error | null) => void) => void) =>
    call<void>((done) => start((error) => done(error, undefined)));
  await act((done) => sftp.write(handle, Buffer.from('abc'), 0, 3, 0, done));
  await act((done) => sftp.close(handle, done));
  expect(server.folders.arrived).toEqual([{ path: '/incoming/open.jpg', content: Buffer.from('abc') }]);
  await drained;
});

test('when its time for stopping is over, the open file is cut', async () => {
  const server = await startTestSftp();
  onTestFinished(() => server.stop());
  const sftp = await connectSftp(server);
  await call<Buffer>((done) => sftp.open('open.jpg', 'w', done));
  const over = new AbortController();
  const drained = server.component.drain?.(over.signal);
  over.abort();
  await drained;
  expect(server.folders.cut).toEqual([{ path: '/incoming/open.jpg', sizeBytes: 0 }]);
});

test('host keys that another service put in their place are shown without a restart', async () => {
  const [first, second] = [await startTestSftp(), await startTestSftp()];
  let { hostKeys } = first;
  const server = await startTestSftp({ bringHostKeys: async () => hostKeys, hostKeysCheckMs: 10 });
  onTestFinished(async () => {
    for (const each of [first, second, server]) await each.stop();
  });
  const shown = async () => {
    let key = '';
    await connectClient(server, {
      password,
      hostVerifier: (presented: Buffer) => {
        key = presented.toString('base64');
        return true;
      },
    });
    return key;
  };
  const before = await shown();
  expect(await shown()).toBe(before);
  ({ hostKeys } = second);
  await until(() => server.events.some(({ kind }) => kind === 'host-keys-changed'));
  expect(await shown()).not.toBe(before);
});
