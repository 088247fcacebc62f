import ssh2 from 'ssh2';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../servers/fixtures/until.js';
import { call, connectClient, connectSftp } from './fixtures/sftp-client.js';
import { password, startTestSftp, type TestSftp } from './fixtures/test-sftp.js';
import { readableKeyPair } from './readable-key-pair.js';

const { generateKeyPairSync, parseKey } = ssh2.utils;
const makeEd25519 = () => readableKeyPair(() => generateKeyPairSync('ed25519'));
let server: TestSftp;
beforeAll(async () => {
  server = await startTestSftp({ limits: { accessCheckMs: 20 } });
});
afterAll(() => server.stop());

function authorize(publicLine: string): void {
  const parsed = parseKey(publicLine);
  if (parsed instanceof Error) throw parsed;
  server.authorized.push(parsed.getPublicSSH());
}

test.each([
  ['ed25519', makeEd25519],
  ['P-256', () => generateKeyPairSync('ecdsa', { bits: 256 })],
  ['P-384', () => generateKeyPairSync('ecdsa', { bits: 384 })],
  ['P-521', () => generateKeyPairSync('ecdsa', { bits: 521 })],
  ['RSA', () => generateKeyPairSync('rsa', { bits: 2048 })],
])('a private key logs in where its public key is authorised: %s', async (_type, make) => {
  const pair = await make();
  const config = { privateKey: pair.private };
  await expect(connectClient(server, config)).rejects.toThrow(/authentication methods failed/);
  authorize(pair.public);
  await connectClient(server, config);
  expect(server.events.at(-1)).toMatchObject({ kind: 'logged-in', by: 'public key' });
});

test('an RSA key that is offered for signatures by SHA-1 is refused, and no guess', async () => {
  const pair = generateKeyPairSync('rsa', { bits: 2048 });
  authorize(pair.public);
  const before = server.events.length;
  const client = new ssh2.Client();
  const ended = new Promise<Error>((resolve) => client.once('error', resolve));
  client.once('handshake', () => {
    const { _protocol: protocol } = client as unknown as { readonly _protocol: { authPK: AuthPk } };
    const ask = protocol.authPK.bind(protocol);
    // As a client without RFC 8332.
    protocol.authPK = (userName, offered, _algorithm, sign) => ask(userName, offered, undefined, sign);
  });
  client.connect({ host: '127.0.0.1', port: server.port, username: 'camera', privateKey: pair.private });
  expect((await ended).message).toMatch(/authentication methods failed/);
  client.destroy();
  expect(server.events.slice(before).map(({ kind }) => kind)).not.toContain('log-in-refused');
});

type AuthPk = (userName: string, key: unknown, algorithm: string | undefined, sign: unknown) => void;

test('a password of another drop, and a signature by another key, are refused and logged without either', async () => {
  await expect(connectClient(server, { password: 'wrong' })).rejects.toThrow();
  await expect(connectClient(server, { username: 'other', password })).rejects.toThrow();
  expect(server.events.at(-1)).toMatchObject({ kind: 'log-in-refused' });
  const [own, other] = [await makeEd25519(), await makeEd25519()];
  authorize(own.public);
  const forged = parseKey(other.private);
  const shown = parseKey(own.private);
  if (forged instanceof Error || shown instanceof Error) throw new Error('not a key');
  // Shows one key and signs by another.
  const mixed = Object.assign(Object.create(Object.getPrototypeOf(shown)), shown, {
    sign: (data: Buffer, algorithm?: string) => forged.sign(data, algorithm),
  });
  await expect(connectClient(server, { privateKey: mixed })).rejects.toThrow();
  expect(JSON.stringify(server.events)).not.toMatch(/wrong|other/);
});

test('of wrong passwords, the third ends the connection', async () => {
  const tries: string[] = [];
  const client = new ssh2.Client();
  await new Promise<void>((resolve) => {
    client.on('error', () => undefined).once('close', () => resolve());
    client.connect({
      ...{ host: '127.0.0.1', port: server.port, username: 'camera' },
      authHandler: (_left, _partial, next) => {
        tries.push('tried');
        next({ type: 'password', username: 'camera', password: 'wrong' });
      },
    });
  });
  expect(tries.length).toBeLessThanOrEqual(4);
});

test('a key that is revoked ends the session within the time between two checks, and cuts its upload', async () => {
  const sftp = await connectSftp(server);
  const handle = await call<Buffer>((done) => sftp.open('cut.jpg', 'w', done));
  await call<void>((done) =>
    sftp.write(handle, Buffer.from('abc'), 0, 3, 0, (error) => done(error, undefined)),
  );
  server.access.isOpen = false;
  await until(() => server.folders.cut.length > 0);
  server.access.isOpen = true;
  expect(server.folders.cut).toEqual([{ path: '/incoming/cut.jpg', sizeBytes: 3 }]);
});

test('a command or a shell is refused with what there is instead', async () => {
  const client = await connectClient(server);
  const run = (command: string) =>
    new Promise<[number, string]>((resolve, reject) =>
      client.exec(command, (error, channel) => {
        if (error) return reject(error);
        let said = '';
        channel.stderr.on('data', (chunk: Buffer) => {
          said += chunk.toString();
        });
        channel.on('exit', (code: number) => channel.on('close', () => resolve([code, said])));
        channel.resume();
      }),
    );
  expect(await run('scp -t x')).toEqual([1, expect.stringContaining('scp without -O')]);
  await expect(call((done) => client.forwardOut('127.0.0.1', 1, '127.0.0.1', 22, done))).rejects.toThrow();
  await expect(
    call<number>((done) => client.forwardIn('127.0.0.1', 0, (error, port) => done(error, port))),
  ).rejects.toThrow();
  await expect(call((done) => client.subsys('netconf', done))).rejects.toThrow();
});
