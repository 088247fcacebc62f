import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { collectGarbage } from '../../servers/fixtures/collect-garbage.js';
import { until } from '../../servers/fixtures/until.js';
import { connected, freePorts, loggedIn, started } from '../fixtures/attacked.js';
import { defaultFtpLimits } from '../ftp-options.js';

const { control } = defaultFtpLimits;

describe('holding connections', () => {
  test('a thousand idle connections of one address leave connections for others', async () => {
    const ftp = await started({ limits: { maxPerAddress: 20 } });
    const codes: string[] = [];
    const sockets = Array.from({ length: 1000 }, () => {
      const socket = connect({ port: ftp.port, host: '127.0.0.1' });
      socket.on('error', () => undefined);
      socket.on('data', (chunk) => codes.push(chunk.toString().slice(0, 3)));
      return socket;
    });
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
    });
    await until(() => codes.length >= 1000);
    expect(codes.filter((code) => code === '220')).toHaveLength(20);
    expect(codes.filter((code) => code === '421')).toHaveLength(980);
    await loggedIn(ftp, { from: '127.0.0.2' });
  });

  test('a client that does not log in is disconnected', async () => {
    const client = await connected(await started({ limits: { logInTimeoutMs: 50 } }));
    await client.ask('USER camera');
    expect(await client.hear()).toMatch(/^421 .*log-in/);
    expect(await client.hear()).toBe('');
  });

  test('one drop has a maximum of connections, and a disconnect frees one', async () => {
    const ftp = await started({ limits: { maxPerLogIn: 2 } });
    const first = await loggedIn(ftp);
    await loggedIn(ftp);
    const third = await connected(ftp);
    await third.ask('USER camera');
    expect(await third.ask('PASS a-key-of-the-drop')).toMatch(/^421 /);
    expect(await first.ask('QUIT')).toMatch(/^221 /);
    await loggedIn(ftp);
  });

  test('log-ins to the first drop of one account leave the first drop of another account open', async () => {
    const others = [
      { userName: 'neighbour', accountId: 2, dropId: 1 },
      { userName: 'second', accountId: 1, dropId: 2 },
    ];
    const ftp = await started({ others, limits: { maxPerLogIn: 3, maxPerAccount: 4 } });
    const logInAs = async (userName: string) => {
      const client = await connected(ftp);
      await client.ask(`USER ${userName}`);
      return (await client.ask('PASS a-key-of-the-drop')).slice(0, 3);
    };
    const camera = [];
    for (let count = 0; count < 4; count++) camera.push(await logInAs('camera'));
    expect(camera).toEqual(['230', '230', '230', '421']);
    expect(await logInAs('neighbour')).toBe('230');
    // All drops of one account together do not use every connection either.
    expect([await logInAs('second'), await logInAs('second')]).toEqual(['230', '421']);
    expect(await logInAs('neighbour')).toBe('230');
    const loggedInEvents = ftp.events.filter(({ kind }) => kind === 'logged-in');
    expect(loggedInEvents).toContainEqual(expect.objectContaining({ accountId: 2, dropId: 1 }));
  });

  test('one account holds at most half of the passive ports, and another account gets one', async () => {
    const others = [{ userName: 'neighbour', accountId: 2, dropId: 1 }];
    const passivePorts = await freePorts(6);
    const ftp = await started({ others, passivePorts, limits: { dataTimeoutMs: 600_000 } });
    const answers: string[] = [];
    const holders: Awaited<ReturnType<typeof loggedIn>>[] = [];
    for (let count = 0; count < 5; count++) {
      const client = await loggedIn(ftp);
      holders.push(client);
      answers.push((await client.ask('EPSV')).slice(0, 3));
    }
    expect(answers).toEqual(['229', '229', '229', '425', '425']);
    const neighbour = await connected(ftp);
    await neighbour.ask('USER neighbour');
    await neighbour.ask('PASS a-key-of-the-drop');
    expect(await neighbour.ask('EPSV')).toMatch(/^229 /);
    // A new request releases the previous port, and so does a disconnect.
    expect(await holders[0]?.ask('EPSV')).toMatch(/^229 /);
    await holders[0]?.ask('QUIT');
    await vi.waitFor(async () => expect(await holders[4]?.ask('EPSV')).toMatch(/^229 /), { timeout: 60_000 });
  });

  test('an idle client is disconnected', async () => {
    const client = await loggedIn(await started({ limits: { idleTimeoutMs: 50 } }));
    expect(await client.hear()).toMatch(/^421 /);
    expect(await client.hear()).toBe('');
  });

  test('a line sent byte by byte times out', async () => {
    const ftp = await started({ limits: { control: { ...control, lineTimeoutMs: 80 } } });
    const client = await connected(ftp);
    const drip = setInterval(() => client.send('N'), 20);
    onTestFinished(() => clearInterval(drip));
    expect(await client.hear()).toMatch(/^421 .*line/);
  });

  test('a line without end is refused and discarded', async () => {
    const client = await connected(await started());
    const heldBytes = () => {
      collectGarbage();
      return process.memoryUsage().arrayBuffers;
    };
    const before = heldBytes();
    for (let sent = 0; sent < 320; sent++) {
      if (!client.socket.write(Buffer.alloc(65_536, 'x'))) await once(client.socket, 'drain');
    }
    // Of its 20 MB nothing but what is under way.
    await until(() => heldBytes() - before < 5_000_000);
    client.send('\r\n');
    expect(await client.hear()).toMatch(/^500 .*too long/);
    expect(await client.ask('NOOP')).toMatch(/^200 /);
  });

  test('a stalled upload is cut, and so is a download that is not read', async () => {
    const ftp = await started({ limits: { stallTimeoutMs: 80 } });
    const client = await loggedIn(ftp);
    const data = await client.openData();
    await client.ask('STOR stalled.jpg');
    data.write('half');
    expect(await client.hear()).toMatch(/^426 /);
    expect(ftp.folders.cut).toEqual([{ path: '/incoming/stalled.jpg', sizeBytes: 4 }]);
    ftp.folders.put('/done/large.jpg', Buffer.alloc(60_000_000));
    (await client.openData()).pause();
    await client.ask('RETR /done/large.jpg');
    expect(await client.hear()).toMatch(/^426 /);
    expect(ftp.folders.arrived).toEqual([]);
  });

  test('a data connection on which TLS never starts is closed', async () => {
    const ftp = await started({ limits: { dataTimeoutMs: 80 } });
    const client = await connected(ftp);
    await client.beginTls();
    await client.logIn();
    await client.openData();
    expect(await client.ask('STOR silent.jpg')).toMatch(/^150 /);
    expect(await client.hear()).toMatch(/^425 .*TLS/);
    expect(ftp.folders.cut).toHaveLength(1);
  });
});
