import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { until } from '../../servers/fixtures/until.js';
import { loggedIn, started, thirdParty } from '../fixtures/attacked.js';

describe('bounce: data sent to a third party', () => {
  test.each([
    ['off', false, '127.0.0.3', 'PORT', '502'],
    ['off', false, '127.0.0.3', 'EPRT', '502'],
    ['on, another address', true, '127.0.0.3', 'PORT', '504'],
    ['on, another address', true, '127.0.0.3', 'EPRT', '504'],
    ['on, another address in its mapped form', true, '127.0.0.3', 'EPRT6', '504'],
  ])(
    'active mode %s (%s, %s): %s is refused, and no connection is opened',
    async (_when, allowsActive, host, verb, code) => {
      const ftp = await started({ allowsActive });
      const victim = await thirdParty(host);
      const client = await loggedIn(ftp);
      const { port } = victim;
      const line = {
        PORT: `PORT ${host.replaceAll('.', ',')},${port >> 8},${port & 255}`,
        EPRT: `EPRT |1|${host}|${port}|`,
        EPRT6: `EPRT |2|::ffff:${host}|${port}|`,
      }[verb];
      expect((await client.ask(line ?? '')).slice(0, 3)).toBe(code);
      expect(await client.ask('STOR x.jpg')).toMatch(/^425 /);
      expect(victim.visits).toBe(0);
    },
  );

  test('a port below 1024 is refused at the own address too', async () => {
    const client = await loggedIn(await started({ allowsActive: true }));
    expect(await client.ask('PORT 127,0,0,1,0,25')).toMatch(/^504 /);
    expect(await client.ask('EPRT |1|127.0.0.1|1023|')).toMatch(/^504 /);
  });

  test('active mode to the client itself works when it is enabled', async () => {
    const ftp = await started({ allowsActive: true });
    const client = await loggedIn(ftp);
    const server = createServer((socket) => socket.end('actively'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      server.close();
    });
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    expect(await client.ask(`EPRT |1|127.0.0.1|${port}|`)).toMatch(/^200 /);
    expect(await client.ask('STOR active.jpg')).toMatch(/^150 /);
    expect(await client.hear()).toMatch(/^226 /);
    expect(ftp.folders.content('/incoming/active.jpg')?.toString()).toBe('actively');
  });
});

describe('stealing the passive port', () => {
  test('another address that connects first gets nothing, and the transfer continues', async () => {
    const ftp = await started();
    const client = await loggedIn(ftp);
    ftp.folders.put('/done/secret.jpg', Buffer.from('secret'));
    const said = await client.ask('EPSV');
    const port = Number(/\|\|\|(\d+)\|/.exec(said)?.[1]);
    const thief = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' });
    let stolen = '';
    thief.on('data', (chunk) => {
      stolen += chunk.toString();
    });
    thief.on('error', () => undefined);
    await until(() => ftp.events.some(({ kind }) => kind === 'foreign-data-connection'));
    const own = connect({ port, host: '127.0.0.1' });
    const got: Buffer[] = [];
    own.on('data', (chunk) => got.push(chunk));
    expect(await client.ask('RETR /done/secret.jpg')).toMatch(/^150 /);
    expect(await client.hear()).toMatch(/^226 /);
    await until(() => got.length > 0);
    expect([Buffer.concat(got).toString(), stolen]).toEqual(['secret', '']);
  });

  test('425 reports that all ports are in use, and unused ports are released after their time limit', async () => {
    const free = await thirdParty('127.0.0.1');
    const ftp = await started({
      passivePorts: { first: free.port, last: free.port },
      limits: { dataTimeoutMs: 100 },
    });
    const client = await loggedIn(ftp);
    expect(await client.ask('PASV')).toMatch(/^425 /);
    expect(ftp.events).toContainEqual({ kind: 'no-passive-port' });
    // The same port is free on another address.
    const [one, two] = [
      await loggedIn(ftp, { host: '127.0.0.2' }),
      await loggedIn(ftp, { host: '127.0.0.2' }),
    ];
    expect(await one.ask('PASV')).toBe(
      `227 Entering Passive Mode (127,0,0,2,${free.port >> 8},${free.port & 255}).`,
    );
    expect(await two.ask('PASV')).toMatch(/^425 /);
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(await two.ask('PASV')).toMatch(/^227 /);
    expect(await two.ask('STOR never.jpg')).toMatch(/^150 /);
    expect(await two.hear()).toMatch(/^425 /);
    expect(ftp.folders.cut).toEqual([{ path: '/incoming/never.jpg', sizeBytes: 0 }]);
  });
});
