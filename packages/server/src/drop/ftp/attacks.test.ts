import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { connectRaw, type RawClient } from './fixtures/raw-client.js';
import { startTestFtp, type TestFtp, type TestOptions } from './fixtures/test-ftp.js';
import { until } from './fixtures/until.js';
import { defaultFtpLimits } from './ftp-options.js';

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function started(options: TestOptions = {}): Promise<TestFtp> {
  const ftp = await startTestFtp(options);
  cleanUps.push(() => ftp.stop());
  return ftp;
}
async function connected(
  { port }: TestFtp,
  options: { host?: string; from?: string } = {},
): Promise<RawClient> {
  const client = await connectRaw(port, options);
  cleanUps.push(() => client.close());
  return client;
}
async function loggedIn(ftp: TestFtp, options: { host?: string; from?: string } = {}): Promise<RawClient> {
  const client = await connected(ftp, options);
  await client.logIn();
  return client;
}
/** Somebody else's server, which counts who comes. */
async function thirdParty(host: string): Promise<{ port: number; readonly visits: number }> {
  let visits = 0;
  const server: Server = createServer((socket) => {
    visits++;
    socket.destroy();
  });
  server.listen(0, host);
  await once(server, 'listening');
  cleanUps.push(() => server.close());
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    get visits() {
      return visits;
    },
  };
}
const control = defaultFtpLimits.control;
const guesses = { ...defaultFtpLimits.guesses, firstDelayMs: 1, maxDelayMs: 20 };

describe('bounce: data sent to a third party', () => {
  test.each([
    ['off', false, '127.0.0.3', 'PORT', '502'],
    ['off', false, '127.0.0.3', 'EPRT', '502'],
    ['on, another address', true, '127.0.0.3', 'PORT', '504'],
    ['on, another address', true, '127.0.0.3', 'EPRT', '504'],
    ['on, another address in its mapped form', true, '127.0.0.3', 'EPRT6', '504'],
  ])(
    'active mode %s (%s, %s): %s is refused, and nobody is called',
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

  test('a port of services, below 1024, is refused at the own address too', async () => {
    const client = await loggedIn(await started({ allowsActive: true }));
    expect(await client.ask('PORT 127,0,0,1,0,25')).toMatch(/^504 /);
    expect(await client.ask('EPRT |1|127.0.0.1|1023|')).toMatch(/^504 /);
  });

  test('to the client itself active mode works, when it is on', async () => {
    const ftp = await started({ allowsActive: true });
    const client = await loggedIn(ftp);
    const server = createServer((socket) => socket.end('actively'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanUps.push(() => server.close());
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    expect(await client.ask(`EPRT |1|127.0.0.1|${port}|`)).toMatch(/^200 /);
    expect(await client.ask('STOR active.jpg')).toMatch(/^150 /);
    expect(await client.hear()).toMatch(/^226 /);
    expect(ftp.folders.content('/incoming/active.jpg')?.toString()).toBe('actively');
  });
});

describe('stealing the passive port', () => {
  test('a stranger who comes first gets nothing and takes nothing', async () => {
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
    await until(() => ftp.events.some(({ kind }) => kind === 'stranger'));
    const own = connect({ port, host: '127.0.0.1' });
    const got: Buffer[] = [];
    own.on('data', (chunk) => got.push(chunk));
    expect(await client.ask('RETR /done/secret.jpg')).toMatch(/^150 /);
    expect(await client.hear()).toMatch(/^226 /);
    await until(() => got.length > 0);
    expect([Buffer.concat(got).toString(), stolen]).toEqual(['secret', '']);
  });

  test('all ports taken is told as that, and those nobody comes to are free again after a while', async () => {
    const free = await thirdParty('127.0.0.1');
    const ftp = await started({
      passivePorts: { first: free.port, last: free.port },
      limits: { dataTimeoutMs: 100 },
    });
    const client = await loggedIn(ftp);
    expect(await client.ask('PASV')).toMatch(/^425 /);
    expect(ftp.events).toContainEqual({ kind: 'no-passive-port' });
    // On another address the port is free.
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

describe('names', () => {
  const tricks: readonly (readonly [string, string, string])[] = [
    ['up', '../../../etc/passwd', 'stays within: /incoming/etc/passwd'],
    ['absolute', '/etc/passwd', 'stays within: /incoming/etc/passwd'],
    ['up from done', '/done/../../../etc', 'stays within: /incoming/etc'],
    ['dots in the middle', 'a/./../../b', 'stays within: /incoming/b'],
    ['backslashes', '..\\..\\etc', 'stays within: /incoming/..\\..\\etc'],
    ['an encoded slash is a name', '..%2f..%2fetc', 'stays within: /incoming/..%2f..%2fetc'],
    ['a wide slash is a name', '..／..／etc', 'stays within: /incoming/..／..／etc'],
    ['NUL', 'a.jpg\0.php', 'refused'],
    ['bare CR', 'a\rDELE b', 'refused'],
    ['escape', 'a\u001b[2Jb', 'refused'],
    ['DEL', 'a\u007fb', 'refused'],
    ['C1 control', 'a\u009bb', 'refused'],
    ['256 bytes', 'x'.repeat(256), 'refused'],
    ['4,096 bytes', 'é'.repeat(2048), 'refused'],
    ['255 bytes', 'x'.repeat(255), `stays within: /incoming/${'x'.repeat(255)}`],
    ['33 folders', 'a/'.repeat(33), 'refused'],
    ['turned direction', 'photo\u202egpj.exe', 'refused'],
    ['isolated direction', 'a\u2066b', 'refused'],
    ['zero width', 'a\u200bb.jpg', 'refused'],
    ['byte order mark', '\ufeffa.jpg', 'refused'],
    ['line separator', 'a\u2028b', 'refused'],
    ['blank', ' ', 'refused'],
    ['no-break blank', '\u00a0', 'refused'],
    ['an overlong slash is Latin-1', '\xc0\xaf', 'refused or within'],
  ];
  test.each(tricks)('%s: %j', async (_name, text, expected) => {
    const ftp = await started();
    const client = await loggedIn(ftp);
    client.send(
      expected === 'refused or within'
        ? Buffer.from(`RNFR ..${text}..${text}etc\r\n`, 'latin1')
        : `RNFR ${text}\r\n`,
    );
    const said = await client.hear();
    if (expected === 'refused') expect(said).toMatch(/^553 /);
    else if (expected.startsWith('stays within: ')) {
      expect(ftp.folders.asked.map((path) => `/${path.join('/')}`)).toEqual([expected.slice(14)]);
    }
    for (const path of ftp.folders.asked) {
      expect(['incoming', 'done', 'failed']).toContain(path[0]);
      expect(path.every((part) => part !== '' && part !== '.' && part !== '..' && !part.includes('/'))).toBe(
        true,
      );
    }
  });

  test('a line break in a name ends the command, and the rest is a command of the same client', async () => {
    const ftp = await started();
    const client = await connected(ftp);
    client.send('USER camera\r\nMKD a\r\nPASS wrong\nDELE b\r\n');
    const said = [await client.hear(), await client.hear(), await client.hear(), await client.hear()];
    expect(said.map((line) => line.slice(0, 3))).toEqual(['331', '530', '530', '530']);
    expect(ftp.folders.asked).toEqual([]);
  });

  test('a name never becomes a line of a reply or of a listing', async () => {
    const ftp = await started();
    const client = await loggedIn(ftp);
    ftp.folders.put('/incoming/a"b', 'folder');
    expect(await client.ask('CWD a"b')).toBe('250 "/incoming/a""b" is the current folder.');
    expect(await client.ask('RNFR 226 Sent.')).toBe('550 There is no /incoming/a"b/226 Sent..');
  });
});

describe('TLS stripping', () => {
  test('what was sent in plain text behind AUTH is never obeyed, and the connection ends', async () => {
    const ftp = await started();
    const client = await connected(ftp);
    client.send('AUTH TLS\r\nUSER camera\r\nPASS a-key-of-the-drop\r\nDELE x\r\n');
    expect(await client.hear()).toMatch(/^421 /);
    expect(await client.hear()).toBe('');
    expect(ftp.events).toContainEqual(expect.objectContaining({ kind: 'plain-text-before-tls' }));
    expect(ftp.tried).toEqual([]);
  });

  test('what arrives in plain text after 234 breaks the handshake', async () => {
    const ftp = await started();
    const client = await connected(ftp);
    expect(await client.ask('AUTH TLS')).toMatch(/^234 /);
    client.send('USER camera\r\nPASS a-key-of-the-drop\r\n');
    expect(await client.hear()).not.toMatch(/^[23]/);
    expect(ftp.tried).toEqual([]);
  });
});

describe('guessing', () => {
  test('each wrong log-in is answered later, the third ends the connection, many turn the address away', async () => {
    const ftp = await started({
      limits: { guesses: { ...guesses, maxPerAddress: 5, firstDelayMs: 20, maxDelayMs: 1000 } },
    });
    const waits: number[] = [];
    const guess = async (client: RawClient) => {
      const begun = performance.now();
      await client.ask('USER camera');
      const said = await client.ask('PASS wrong');
      waits.push(performance.now() - begun);
      return said.slice(0, 3);
    };
    const first = await connected(ftp);
    expect([await guess(first), await guess(first), await guess(first), await first.hear()]).toEqual([
      '530',
      '530',
      '421',
      '',
    ]);
    expect(waits[0]).toBeGreaterThan(18);
    expect(waits[2]).toBeGreaterThan(78);
    const second = await connected(ftp);
    const waiting = await connected(ftp);
    expect([await guess(second), await guess(second)]).toEqual(['530', '421']);
    // Those who are connected already are turned away too, with the right key.
    await waiting.ask('USER camera');
    expect(await waiting.ask('PASS a-key-of-the-drop')).toMatch(/^421 /);
    const third = await connectRaw(ftp.port, { isGreeted: false });
    expect(await third.hear()).toMatch(/^421 .*wrong log-ins/);
    // Another address is not.
    await loggedIn(ftp, { from: '127.0.0.2' });
    expect(ftp.events.filter(({ kind }) => kind === 'log-in-refused')).toHaveLength(5);
    expect(JSON.stringify(ftp.events)).not.toMatch(/wrong"|camera|a-key/);
  });

  test('nothing but the log-in tells whether a user exists', async () => {
    const ftp = await started({ limits: { guesses } });
    const client = await connected(ftp);
    const [known, unknown] = [await client.ask('USER camera'), await client.ask('USER nobody')];
    expect(known).toBe(unknown);
    const said = await client.ask('PASS x');
    await client.ask('USER camera');
    expect(await client.ask('PASS x')).toBe(said);
  });
});

describe('holding on', () => {
  test('a thousand idle connections of one address leave room for others', async () => {
    const ftp = await started({ limits: { maxPerAddress: 20 } });
    const told: string[] = [];
    const sockets = Array.from({ length: 1000 }, () => {
      const socket = connect({ port: ftp.port, host: '127.0.0.1' });
      socket.on('error', () => undefined);
      socket.on('data', (chunk) => told.push(chunk.toString().slice(0, 3)));
      return socket;
    });
    cleanUps.push(() => {
      for (const socket of sockets) socket.destroy();
    });
    await until(() => told.length >= 1000);
    expect(told.filter((code) => code === '220')).toHaveLength(20);
    expect(told.filter((code) => code === '421')).toHaveLength(980);
    await loggedIn(ftp, { from: '127.0.0.2' });
  });

  test('who does not log in is let go', async () => {
    const client = await connected(await started({ limits: { logInTimeoutMs: 50 } }));
    await client.ask('USER camera');
    expect(await client.hear()).toMatch(/^421 .*log-in/);
    expect(await client.hear()).toBe('');
  });

  test('one drop has so many connections, and one who leaves makes room', async () => {
    const ftp = await started({ limits: { maxPerLogIn: 2 } });
    const first = await loggedIn(ftp);
    await loggedIn(ftp);
    const third = await connected(ftp);
    await third.ask('USER camera');
    expect(await third.ask('PASS a-key-of-the-drop')).toMatch(/^421 /);
    expect(await first.ask('QUIT')).toMatch(/^221 /);
    await loggedIn(ftp);
  });

  test('who asks for nothing is let go', async () => {
    const client = await loggedIn(await started({ limits: { idleTimeoutMs: 50 } }));
    expect(await client.hear()).toMatch(/^421 /);
    expect(await client.hear()).toBe('');
  });

  test('a line that comes byte by byte is not waited for', async () => {
    const ftp = await started({ limits: { control: { ...control, lineTimeoutMs: 80 } } });
    const client = await connected(ftp);
    const drip = setInterval(() => client.send('N'), 20);
    cleanUps.push(() => clearInterval(drip));
    expect(await client.hear()).toMatch(/^421 .*line/);
  });

  test('a line without end is refused and kept nowhere', async () => {
    const client = await connected(await started());
    const before = process.memoryUsage().arrayBuffers;
    for (let sent = 0; sent < 320; sent++) {
      if (!client.socket.write(Buffer.alloc(65_536, 'x'))) await once(client.socket, 'drain');
    }
    client.send('\r\n');
    expect(await client.hear()).toMatch(/^500 .*too long/);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(15_000_000);
    expect(await client.ask('NOOP')).toMatch(/^200 /);
  });

  test('an upload that stands still is cut, and so is a download that is not read', async () => {
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

  test('a data connection on which TLS never begins is given up', async () => {
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

describe('flooding', () => {
  test('a hundred thousand commands at once are all answered, while others are served', async () => {
    const ftp = await started();
    const flood = await connected(ftp);
    let replies = 0;
    flood.socket.removeAllListeners('data').on('data', (chunk: Buffer) => {
      replies += chunk.toString().split('\n').length - 1;
    });
    const other = await loggedIn(ftp, { from: '127.0.0.2' });
    flood.send('NOOP\r\n'.repeat(100_000));
    await until(() => replies > 0);
    expect(await other.ask('NOOP')).toMatch(/^200 /);
    expect(replies).toBeLessThan(100_000);
    await until(() => replies === 100_000);
  });

  test('who does not read the answers is let go', async () => {
    const ftp = await started({ limits: { control: { ...control, replyTimeoutMs: 100 } } });
    const socket = connect({ port: ftp.port, host: '127.0.0.1' });
    socket.pause();
    socket.on('error', () => undefined);
    cleanUps.push(() => socket.destroy());
    let isClosed = false;
    socket.on('close', () => {
      isClosed = true;
    });
    const help = 'HELP\r\n'.repeat(1000);
    const pump = setInterval(() => {
      if (socket.writable) socket.write(help);
    }, 1);
    cleanUps.push(() => clearInterval(pump));
    await until(() => isClosed || !socket.writable);
  });

  test('a folder of 100,000 files is listed while others are served', async () => {
    const ftp = await started();
    ftp.folders.list = async function* () {
      for (let index = 0; index < 100_000; index++) {
        yield { name: `IMG_${index}.JPG`, kind: 'file', sizeBytes: index, modifiedMs: 0 };
      }
    };
    const [client, other] = [await loggedIn(ftp), await loggedIn(ftp)];
    let isOver = false;
    const listing = client.fetch('LIST').finally(() => {
      isOver = true;
    });
    let served = 0;
    while (!isOver) {
      expect(await other.ask('NOOP')).toMatch(/^200 /);
      served++;
    }
    expect((await listing).content.toString().split('\r\n')).toHaveLength(100_001);
    expect(served).toBeGreaterThan(20);
  });
});
