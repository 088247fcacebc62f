import { once } from 'node:events';
import { mkdtemp, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls, TLSSocket } from 'node:tls';
import { generate } from 'selfsigned';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../servers/fixtures/until.js';
import { connectRaw, type RawClient } from './fixtures/raw-client.js';
import { startTestFtp, type TestFtp, type TestOptions } from './fixtures/test-ftp.js';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

let ftp: TestFtp;
beforeAll(async () => {
  ftp = await startTestFtp();
});
afterAll(() => ftp.stop());

async function started(options: TestOptions): Promise<TestFtp> {
  const own = await startTestFtp(options);
  cleanUps.push(() => own.stop());
  return own;
}
async function connected(port = ftp.port): Promise<RawClient> {
  const client = await connectRaw(port);
  cleanUps.push(() => client.close());
  return client;
}
async function storedProperly(port: number): Promise<string> {
  const client = await connected(port);
  await client.beginTls();
  await client.logIn();
  return client.store('STOR proper.jpg', 'with its close');
}
const subjectOf = ({ socket }: RawClient): string =>
  socket instanceof TLSSocket ? String(socket.getPeerCertificate().subject.CN) : 'plain text';

describe('with TLS', () => {
  test('a file is uploaded and downloaded with TLS on both connections', async () => {
    const client = await connected();
    await client.beginTls();
    await client.logIn();
    const content = Buffer.alloc(3_000_000, 'image ');
    expect(await client.store('STOR tls.jpg', content)).toMatch(/^226 /);
    expect(ftp.folders.content('/incoming/tls.jpg')?.equals(content)).toBe(true);
    expect((await client.fetch('RETR tls.jpg')).content.equals(content)).toBe(true);
    expect((await client.fetch('NLST')).content.toString()).toContain('tls.jpg');
    expect(await client.ask('STAT')).toContain('data connections: TLS');
  });

  test('PROT C leaves the data connection in plain text', async () => {
    const client = await connected();
    await client.beginTls();
    await client.logIn();
    await client.ask('PROT C');
    const data = await client.openData();
    await client.ask('STOR mixed.jpg');
    data.end('plain');
    expect(await client.hear()).toMatch(/^226 /);
  });

  test('an upload whose connection ends without close_notify is cut, also when a third party ended it', async () => {
    const client = await connected();
    await client.beginTls();
    await client.logIn();
    const raw = await client.openData();
    await client.ask('STOR truncated.jpg');
    const data = connectTls({ socket: raw, rejectUnauthorized: false });
    data.on('error', () => undefined);
    await once(data, 'secureConnect');
    await new Promise((resolve) => data.write('half', resolve));
    // TCP ends without close_notify.
    raw.end();
    expect(await client.hear()).toMatch(/^426 .*TLS/);
    expect(ftp.folders.cut).toContainEqual({ path: '/incoming/truncated.jpg', sizeBytes: 4 });
    expect(ftp.folders.arrived.map(({ path }) => path)).not.toContain('/incoming/truncated.jpg');
  });

  test('without needsCloseNotify the end of TCP ends an upload, and a reset or a crashed client still cuts it', async () => {
    const lenient = await started({ needsCloseNotify: false });
    const begin = async (name: string) => {
      const client = await connected(lenient.port);
      await client.beginTls();
      await client.logIn();
      const raw = await client.openData();
      await client.ask(`STOR ${name}`);
      const data = connectTls({ socket: raw, rejectUnauthorized: false });
      data.on('error', () => undefined);
      await once(data, 'secureConnect');
      await new Promise((resolve) => data.write('all of it', resolve));
      return { client, raw };
    };
    const ended = await begin('ended.jpg');
    ended.raw.end();
    expect(await ended.client.hear()).toMatch(/^226 /);
    const reset = await begin('reset.jpg');
    reset.raw.resetAndDestroy();
    expect(await reset.client.hear()).toMatch(/^426 /);
    const dead = await begin('dead.jpg');
    dead.raw.end();
    dead.client.close();
    await until(() => lenient.folders.cut.length === 2);
    expect(lenient.folders.arrived.map(({ path }) => path)).toEqual(['/incoming/ended.jpg']);
    expect((await storedProperly(lenient.port)).startsWith('226')).toBe(true);
  });

  test('the TLS session can be resumed for the data connection', async () => {
    const client = await connected();
    await client.beginTls();
    await client.logIn();
    const raw = await client.openData();
    await client.ask('STOR reused.jpg');
    const { socket } = client;
    const session = socket instanceof TLSSocket ? socket.getSession() : undefined;
    const data = connectTls({ socket: raw, rejectUnauthorized: false, ...(session && { session }) });
    await once(data, 'secureConnect');
    data.end('again');
    data.resume();
    expect(await client.hear()).toMatch(/^226 /);
  });

  test('versions below 1.2 are refused', async () => {
    const client = await connected();
    await client.ask('AUTH TLS');
    const old = connectTls({
      socket: client.socket,
      rejectUnauthorized: false,
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    });
    await expect(once(old, 'secureConnect')).rejects.toThrow();
  });
});

describe('where TLS is required', () => {
  test('user name, password and data are refused in plain text', async () => {
    const strict = await started({ requiresTls: true });
    const client = await connected(strict.port);
    expect(await client.ask('USER camera')).toMatch(/^530 .*AUTH TLS/);
    expect(await client.ask('PASS a-key-of-the-drop')).toMatch(/^503 /);
    expect(strict.tried).toEqual([]);
    await client.beginTls();
    await client.logIn();
    expect(await client.ask('PROT C')).toMatch(/^534 /);
    expect(await client.store('STOR good.jpg', 'x')).toMatch(/^226 /);
    // Without PROT P.
    const other = await connected(strict.port);
    await other.ask('AUTH TLS');
    const secure = connectTls({ socket: other.socket, rejectUnauthorized: false });
    const said: string[] = [];
    secure.on('data', (chunk: Buffer) => said.push(chunk.toString()));
    secure.write('USER camera\r\nPASS a-key-of-the-drop\r\nEPSV\r\nSTOR x.jpg\r\n');
    while (!said.join('').includes('521 ')) await once(secure, 'data');
    expect(strict.folders.content('/incoming/x.jpg')).toBeNull();
  });
});

describe('the certificate', () => {
  test('of the service is created once for its host name, and only the owner can read its key', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'lynceus-ftp-own-'));
    cleanUps.push(() => rm(dir, { recursive: true }));
    const fingerprints: string[] = [];
    for (const hostName of ['drop.example', 'other.example']) {
      const own = await started({ certificateDir: dir, hostName });
      const client = await connected(own.port);
      await client.beginTls();
      expect(subjectOf(client)).toBe('drop.example');
      if (client.socket instanceof TLSSocket) {
        fingerprints.push(client.socket.getPeerCertificate().fingerprint256);
      }
    }
    expect(fingerprints[1]).toBe(fingerprints[0]);
    expect((await stat(join(dir, 'key.pem'))).mode & 0o777).toBe(0o600);
  });

  test('of the operator is used and reloaded without a restart; an invalid one leaves the old one in use', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'lynceus-ftp-cert-'));
    cleanUps.push(() => rm(dir, { recursive: true }));
    const paths = { certificate: join(dir, 'c.pem'), key: join(dir, 'k.pem') };
    const write = async (name: string) => {
      const made = await generate([{ name: 'commonName', value: name }], {
        keyType: 'ec',
        algorithm: 'sha256',
      });
      await writeFile(paths.key, made.private);
      await writeFile(paths.certificate, made.cert);
    };
    await write('first.example');
    const own = await started({ certificate: paths, limits: { certificateCheckMs: 20 } });
    const subject = async () => {
      const client = await connected(own.port);
      await client.beginTls();
      return subjectOf(client);
    };
    const eventOf = async (kind: string) => {
      while (!own.events.some((event) => event.kind === kind)) {
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    };
    expect(await subject()).toBe('first.example');
    await writeFile(paths.certificate, 'not a certificate');
    await eventOf('certificate-bad');
    expect(await subject()).toBe('first.example');
    await write('second.example');
    await utimes(paths.certificate, new Date(), new Date(Date.now() + 5000));
    await eventOf('certificate-changed');
    expect(await subject()).toBe('second.example');
  });

  test('that cannot be read makes the start fail with its path', async () => {
    const certificate = { certificate: '/nowhere/c.pem', key: '/nowhere/k.pem' };
    await expect(startTestFtp({ certificate })).rejects.toThrow(/\/nowhere\/c\.pem.*cannot be used/);
  });
});

test('a client that starts TLS and then sends nothing is disconnected', async () => {
  const own = await started({
    limits: {
      control: {
        maxLineBytes: 1000,
        lineTimeoutMs: 1000,
        maxWaitingLines: 8,
        replyTimeoutMs: 1000,
        handshakeTimeoutMs: 50,
      },
    },
  });
  const socket = connect({ port: own.port, host: '127.0.0.1' });
  socket.on('error', () => undefined);
  socket.write('AUTH TLS\r\n');
  socket.resume();
  await once(socket, 'close');
});
