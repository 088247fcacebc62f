import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { binaryHeader, textHeader } from '../servers/fixtures/proxy-headers.js';
import { until } from '../servers/fixtures/until.js';
import { started } from './fixtures/attacked.js';
import { connectRaw, type RawClient } from './fixtures/raw-client.js';
import type { TestFtp, TestOptions } from './fixtures/test-ftp.js';

const client = '203.0.113.9';
const reached = '198.51.100.7';
const proxies = ['127.0.0.1'];

const behindProxy = (options: TestOptions = {}) => started({ proxies, ...options });

/** The balancer's connection for a client. */
async function proxied({ port }: TestFtp, header: Buffer, from = '127.0.0.1'): Promise<RawClient> {
  const raw = await connectRaw(port, { from, isGreeted: false });
  onTestFinished(() => raw.close());
  raw.send(header);
  return raw;
}

async function loggedIn(ftp: TestFtp, header = binaryHeader(client, reached)): Promise<RawClient> {
  const raw = await proxied(ftp, header);
  expect(await raw.hear()).toMatch(/^220 /);
  await raw.logIn();
  return raw;
}

async function openData(raw: RawClient, header: Buffer | null, from = '127.0.0.1'): Promise<Socket> {
  const [, port] = /\|\|\|(\d+)\|/.exec(await raw.ask('EPSV')) ?? [];
  return connectData(Number(port), header, from);
}

async function connectData(port: number, header: Buffer | null, from = '127.0.0.1'): Promise<Socket> {
  const data = connect({ host: '127.0.0.1', port, localAddress: from });
  data.on('error', () => undefined);
  onTestFinished(() => {
    data.destroy();
  });
  await once(data, 'connect');
  if (header) data.write(header);
  return data;
}

const seenAddress = (ftp: TestFtp) =>
  ftp.events.flatMap((event) => (event.kind === 'logged-in' ? [event.address] : []));

describe('a connection of a trusted proxy', () => {
  test.each([
    ['version 1', textHeader(client, reached)],
    ['version 2', binaryHeader(client, reached)],
    ['version 2 with further fields', binaryHeader(client, reached, Buffer.from('040003414243', 'hex'))],
  ])('is the client’s that its header names, by %s', async (_version, header) => {
    const ftp = await behindProxy();
    await loggedIn(ftp, header);
    expect(seenAddress(ftp)).toEqual([client]);
  });

  test('may bring the header byte by byte, and the first commands right behind it', async () => {
    const ftp = await behindProxy();
    const raw = await proxied(ftp, Buffer.alloc(0));
    for (const byte of textHeader(client, reached)) {
      raw.send(Buffer.from([byte]));
      await sleep(1);
    }
    expect(await raw.hear()).toMatch(/^220 /);
    const eager = await proxied(ftp, Buffer.concat([binaryHeader(client, reached), Buffer.from('NOOP\r\n')]));
    expect(await eager.hear()).toMatch(/^220 /);
    expect(await eager.hear()).toMatch(/^200 /);
  });

  test('is refused without a header, with one that cannot be read, and with one that does not end', async () => {
    const ftp = await behindProxy({ limits: { proxyHeaderTimeoutMs: 100 } });
    for (const sent of ['USER camera\r\n', 'PROXY TCP4 1.2.3.4 x 1 2\r\n', 'PROXY TCP4 1.2', '']) {
      const raw = await proxied(ftp, Buffer.from(sent));
      expect([sent, await raw.hear()]).toEqual([sent, '']);
    }
    const why = ftp.events.map((event) => (event.kind === 'bad-proxy-header' ? event.why : event.kind));
    expect(why.slice(1)).toEqual(['malformed', 'malformed', 'late', 'late']);
  });

  test('that only looks whether the port is open leaves no trace, and one of the proxy itself is greeted', async () => {
    const ftp = await behindProxy();
    const look = connect(ftp.port, '127.0.0.1');
    await once(look, 'connect');
    look.end();
    await once(look.resume(), 'close');
    const check = await proxied(ftp, Buffer.from('PROXY UNKNOWN\r\n'));
    expect(await check.hear()).toMatch(/^220 /);
    expect(ftp.events.map(({ kind }) => kind)).toEqual(['listening']);
  });

  test('counts for the limits of its client, and for those of no other', async () => {
    const ftp = await behindProxy({ limits: { maxPerAddress: 1 } });
    await loggedIn(ftp);
    const again = await proxied(ftp, textHeader(client, reached));
    expect(await again.hear()).toMatch(/^421 Too many connections/);
    const other = await proxied(ftp, textHeader('203.0.113.10', reached));
    expect(await other.hear()).toMatch(/^220 /);
  });

  test('is banned by the address of its client', async () => {
    const ftp = await behindProxy({
      limits: {
        logInThrottle: {
          maxPerConnection: 3,
          maxPerAddress: 1,
          forgetMs: 600_000,
          banMs: 600_000,
          firstDelayMs: 1,
          maxDelayMs: 1,
        },
      },
    });
    const guessing = await proxied(ftp, binaryHeader(client, reached));
    await guessing.hear();
    await guessing.ask('USER camera');
    expect(await guessing.ask('PASS wrong')).toMatch(/^421 /);
    const again = await proxied(ftp, textHeader(client, reached));
    expect(await again.hear()).toMatch(/^421 Too many wrong log-ins/);
    await loggedIn(ftp, textHeader('203.0.113.10', reached));
  });

  test('receives the address that its client connected to, by IPv6 with EPSV alone', async () => {
    const ftp = await behindProxy();
    const raw = await loggedIn(ftp);
    expect(await raw.ask('PASV')).toMatch(/^227 .*\(198,51,100,7,/);
    const six = await loggedIn(ftp, binaryHeader('2001:db8::9', '2001:db8::7'));
    expect(await six.ask('PASV')).toMatch(/^425 /);
    expect(await six.ask('EPSV 1')).toMatch(/^522 .*\(2\)/);
    const data = await openData(six, textHeader('2001:db8::9', '2001:db8::7'));
    expect(await six.ask('STOR six.jpg')).toMatch(/^150 /);
    data.end('by IPv6');
    expect(await six.hear()).toMatch(/^226 /);
    expect(seenAddress(ftp)).toEqual([client, '2001:db8::9']);
  });
});

test('a header from any other address is a wrong command', async () => {
  const ftp = await behindProxy();
  const raw = await proxied(ftp, textHeader(client, reached), '127.0.0.2');
  expect(await raw.hear()).toMatch(/^220 /);
  expect(await raw.hear()).toMatch(/^500 /);
  await raw.logIn();
  const binary = await proxied(ftp, binaryHeader(client, reached), '127.0.0.2');
  expect(await binary.hear()).toMatch(/^220 /);
  expect(await binary.hear()).toMatch(/^50/);
  expect(seenAddress(ftp)).toEqual(['::ffff:127.0.0.2']);
});

describe('a data connection through a trusted proxy', () => {
  test('is taken with a header of the same client, for uploads and downloads, with bytes right behind it', async () => {
    const ftp = await behindProxy();
    const raw = await loggedIn(ftp);
    const header = Buffer.concat([textHeader(client, reached), Buffer.from('behind ')]);
    const up = await openData(raw, header);
    expect(await raw.ask('STOR up.jpg')).toMatch(/^150 /);
    up.end('and after');
    expect(await raw.hear()).toMatch(/^226 /);
    expect(ftp.folders.content('/incoming/up.jpg')?.toString()).toBe('behind and after');

    ftp.folders.put('/done/kept.jpg', Buffer.from('kept'));
    const down = await openData(raw, binaryHeader(client, reached));
    const got: Buffer[] = [];
    down.on('data', (chunk) => got.push(chunk));
    expect(await raw.ask('RETR /done/kept.jpg')).toMatch(/^150 /);
    expect(await raw.hear()).toMatch(/^226 /);
    await until(() => Buffer.concat(got).toString() === 'kept');
  });

  test('is taken with TLS', async () => {
    const ftp = await behindProxy();
    const raw = await proxied(ftp, binaryHeader(client, reached));
    await raw.hear();
    await raw.beginTls();
    await raw.logIn();
    const data = await openData(raw, binaryHeader(client, reached));
    expect(await raw.ask('STOR safe.jpg')).toMatch(/^150 /);
    const secure = connectTls({ socket: data, rejectUnauthorized: false });
    await once(secure, 'secureConnect');
    secure.end('safe');
    secure.resume();
    expect(await raw.hear()).toMatch(/^226 /);
    expect(ftp.folders.content('/incoming/safe.jpg')?.toString()).toBe('safe');
  });

  test('is dropped with a header of another client or none, and the transfer continues to wait', async () => {
    const ftp = await behindProxy({ limits: { proxyHeaderTimeoutMs: 200 } });
    ftp.folders.put('/done/secret.jpg', Buffer.from('secret'));
    const raw = await loggedIn(ftp);
    const [, port] = /\|\|\|(\d+)\|/.exec(await raw.ask('EPSV')) ?? [];
    const stolen: Buffer[] = [];
    for (const header of [
      textHeader('203.0.113.10', reached),
      Buffer.from('PROXY UNKNOWN\r\n'),
      Buffer.from('no header'),
      null,
    ]) {
      const thief = await connectData(Number(port), header);
      thief.on('data', (chunk) => stolen.push(chunk));
    }
    const direct = await connectData(Number(port), null, '127.0.0.2');
    direct.on('data', (chunk) => stolen.push(chunk));
    const refused = () =>
      ftp.events.flatMap((event) => {
        if (event.kind === 'foreign-data-connection') return [event.address];
        return event.kind === 'bad-proxy-header' ? [event.why] : [];
      });
    await until(() => refused().length === 5);
    expect(refused().sort()).toEqual(['127.0.0.1', '127.0.0.2', '203.0.113.10', 'late', 'malformed']);
    const own = await connectData(Number(port), textHeader(client, reached));
    const got: Buffer[] = [];
    own.on('data', (chunk) => got.push(chunk));
    expect(await raw.ask('RETR /done/secret.jpg')).toMatch(/^150 /);
    expect(await raw.hear()).toMatch(/^226 /);
    await until(() => got.length > 0);
    expect(Buffer.concat(stolen).toString()).toBe('');
  });

  test('may come directly from the client, where its replica has a public address of its own', async () => {
    const ftp = await behindProxy();
    const raw = await loggedIn(ftp, textHeader('127.0.0.5', reached));
    const data = await openData(raw, null, '127.0.0.5');
    expect(await raw.ask('STOR direct.jpg')).toMatch(/^150 /);
    data.end('direct');
    expect(await raw.hear()).toMatch(/^226 /);
  });
});

test('connections that bring no header hold up nobody, and end with the service', async () => {
  const ftp = await behindProxy({ limits: { maxConnections: 5, proxyHeaderTimeoutMs: 300_000 } });
  const silent = await Promise.all(Array.from({ length: 20 }, () => proxied(ftp, Buffer.alloc(0))));
  await until(() => silent.filter(({ socket }) => socket.destroyed).length >= 15);
  const direct = await connectRaw(ftp.port, { from: '127.0.0.2', isGreeted: false });
  expect(await direct.hear()).toMatch(/^220 /);
  direct.close();
  await ftp.component.stop();
  await until(() => silent.every(({ socket }) => socket.destroyed));
});
