import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { DropError } from '../drop-error.js';
import { until } from '../servers/fixtures/until.js';
import { connectRaw, type RawClient } from './fixtures/raw-client.js';
import { startTestFtp, type TestFtp } from './fixtures/test-ftp.js';

let ftp: TestFtp;
const clients: RawClient[] = [];
beforeAll(async () => {
  ftp = await startTestFtp();
});
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
  ftp.folders.arrived.length = 0;
  ftp.folders.cut.length = 0;
});
afterAll(() => ftp.stop());

async function loggedIn(host?: string): Promise<RawClient> {
  const client = await connectRaw(ftp.port, host ? { host } : {});
  clients.push(client);
  await client.logIn();
  return client;
}

describe('a camera', () => {
  test('uploads under a temporary name, checks the size and renames: then the image has arrived', async () => {
    const camera = await loggedIn();
    const said = [
      await camera.ask('SYST'),
      await camera.ask('TYPE I'),
      await camera.ask('MKD DCIM'),
      await camera.ask('CWD DCIM'),
      await camera.ask('PWD'),
      await camera.store('STOR IMG_0001.tmp', 'an image'),
      await camera.ask('SIZE IMG_0001.tmp'),
      await camera.ask('RNFR IMG_0001.tmp'),
    ];
    expect(ftp.folders.arrived).toEqual([]);
    said.push(await camera.ask('RNTO IMG_0001.JPG'), await camera.ask('QUIT'));
    expect(said.map((line) => line.slice(0, 3)).join(' ')).toBe('215 200 257 250 257 226 213 350 250 221');
    expect(said[4]).toBe('257 "/incoming/DCIM" is the current folder.');
    expect(said[6]).toBe('213 8');
    expect(ftp.folders.arrived).toMatchObject([{ path: '/incoming/DCIM/IMG_0001.JPG' }]);
    expect(ftp.folders.content('/incoming/DCIM/IMG_0001.JPG')?.toString()).toBe('an image');
  });

  test('that crashes during an upload leaves a cut file, which has not arrived', async () => {
    const camera = await loggedIn();
    const data = await camera.openData();
    await camera.ask('STOR dies.jpg');
    data.write('half');
    await until(() => ftp.folders.asked.length > 0);
    // The kernel does the same for a killed process: both connections end in order and without an error.
    data.end();
    camera.socket.end();
    await until(() => ftp.folders.cut.length > 0);
    expect(ftp.folders.cut).toEqual([{ path: '/incoming/dies.jpg', sizeBytes: 4 }]);
    expect(ftp.folders.arrived).toEqual([]);
  });

  test('whose data connection is reset gets 426, and its file has not arrived', async () => {
    const camera = await loggedIn();
    const data = await camera.openData();
    await camera.ask('STOR reset.jpg');
    data.write('half');
    data.resetAndDestroy();
    expect(await camera.hear()).toMatch(/^426 /);
    expect(ftp.folders.cut).toMatchObject([{ path: '/incoming/reset.jpg' }]);
    expect(ftp.folders.arrived).toEqual([]);
  });

  test('resumes a cut file at the position that SIZE reports', async () => {
    const camera = await loggedIn();
    ftp.folders.put('/incoming/long.jpg', Buffer.from('first XX'));
    await camera.ask('TYPE I');
    expect(await camera.ask('REST 6')).toMatch(/^350 /);
    expect(await camera.store('STOR long.jpg', 'second')).toMatch(/^226 /);
    expect(ftp.folders.content('/incoming/long.jpg')?.toString()).toBe('first second');
    expect(await camera.store('APPE long.jpg', ' third')).toMatch(/^226 /);
    expect(ftp.folders.content('/incoming/long.jpg')?.toString()).toBe('first second third');
  });

  test.each(['SIZE', 'MLST'])(
    'that appends to another size than the one of its %s is refused',
    async (verb) => {
      const camera = await loggedIn();
      const path = `/incoming/${verb}.jpg`;
      ftp.folders.put(path, Buffer.from('first'));
      await camera.ask(`${verb} ${path}`);
      // Another transfer of it writes down its last bytes.
      ftp.folders.put(path, Buffer.from('first sec'));
      expect(await camera.store(`APPE ${path}`, ' second')).toMatch(/^450 /);
      expect(ftp.folders.content(path)?.toString()).toBe('first sec');
      expect(await camera.ask(`SIZE ${path}`)).toBe('213 9');
      expect(await camera.store(`APPE ${path}`, 'ond')).toMatch(/^226 /);
      // Its own bytes are no surprise.
      expect(await camera.store(`APPE ${path}`, '.')).toMatch(/^226 /);
      expect(ftp.folders.content(path)?.toString()).toBe('first second.');
    },
  );

  test('that found no file and appends to one that came meanwhile is refused', async () => {
    const camera = await loggedIn();
    expect(await camera.ask('SIZE late.jpg')).toMatch(/^550 /);
    ftp.folders.put('/incoming/late.jpg', Buffer.from('fir'));
    expect(await camera.store('APPE late.jpg', 'first')).toMatch(/^450 /);
    expect(ftp.folders.content('/incoming/late.jpg')?.toString()).toBe('fir');
  });

  test.each(['SIZE', 'MLST'])(
    'that appends after a failure of its %s is refused until it knows',
    async (verb) => {
      const camera = await loggedIn();
      const path = `/incoming/${verb}-fails.jpg`;
      ftp.folders.put(path, Buffer.from('fir'));
      ftp.folders.failFind = new Error('the database is away');
      expect(await camera.ask(`${verb} ${path}`)).toMatch(/^4\d\d /);
      // Twice: it may not look at the first answer either.
      for (let times = 0; times < 2; times += 1) {
        expect(await camera.store(`APPE ${path}`, 'first')).toMatch(/^450 .*STOR/);
        expect(ftp.folders.content(path)?.toString()).toBe('fir');
      }
      expect(await camera.ask(`SIZE ${path}`)).toBe('213 3');
      expect(await camera.store(`APPE ${path}`, 'st')).toMatch(/^226 /);
      expect(ftp.folders.content(path)?.toString()).toBe('first');
      ftp.folders.failFind = new Error('the database is away');
      await camera.ask(`${verb} ${path}`);
      expect(await camera.store(`STOR ${path}`, 'whole')).toMatch(/^226 /);
      expect(await camera.store(`APPE ${path}`, '.')).toMatch(/^226 /);
    },
  );

  test('that uploads in text mode sends an undamaged image', async () => {
    const camera = await loggedIn();
    await camera.ask('TYPE A');
    const image = Buffer.from([0xff, 0xd8, 0x0d, 0x0a, 0x00, 0x0a, 0x0d, 0xff]);
    await camera.store('STOR text.jpg', image);
    expect(ftp.folders.content('/incoming/text.jpg')).toEqual(image);
    expect((await camera.fetch('RETR text.jpg')).content).toEqual(image);
  });

  test('reads the name that STOU chose', async () => {
    const camera = await loggedIn();
    await camera.store('STOR same.jpg', 'one');
    const data = await camera.openData();
    const opening = await camera.ask('STOU same.jpg');
    data.end('two');
    expect(await camera.hear()).toMatch(/^226 /);
    expect(opening).toBe('150 FILE: /incoming/same.jpg.1');
    expect(ftp.folders.content('/incoming/same.jpg')?.toString()).toBe('one');
  });
});

describe('a transfer', () => {
  test('is acknowledged only when the file is durable', async () => {
    const client = await loggedIn();
    ftp.folders.finishMs = 60;
    const begun = Date.now();
    expect(await client.store('STOR slow.jpg', 'x')).toMatch(/^226 /);
    expect(Date.now() - begun).toBeGreaterThanOrEqual(59);
    ftp.folders.finishMs = 0;
  });

  test.each([
    ['full', '452'],
    ['away', '451'],
    ['too-many', '452'],
    ['too-large', '552'],
  ] as const)('that meets %s in the middle is cut and answered %s', async (code, expected) => {
    const client = await loggedIn();
    ftp.folders.failWrite = new DropError(code, 'No more.');
    expect(await client.store(`STOR ${code}.jpg`, 'x')).toBe(`${expected} No more.`);
    expect(ftp.folders.cut).toHaveLength(1);
    expect(ftp.folders.arrived).toEqual([]);
  });

  test('is reported by STAT, and ended by ABOR with telnet bytes before it', async () => {
    const client = await loggedIn();
    const data = await client.openData();
    await client.ask('STOR big.jpg');
    data.write('some bytes');
    await until(() => data.bytesWritten === 10);
    let status = '';
    while (!status.includes('10 bytes')) status = await client.ask('STAT');
    expect(status).toBe('213 A transfer is under way: 10 bytes so far.');
    client.send(Buffer.from([0xff, 0xf4, 0xf2, ...Buffer.from('ABOR\r\n')]));
    expect(await client.hear()).toMatch(/^426 /);
    expect(await client.hear()).toMatch(/^226 /);
    expect(ftp.folders.cut).toEqual([{ path: '/incoming/big.jpg', sizeBytes: 10 }]);
    expect(await client.ask('NOOP')).toMatch(/^200 /);
  });

  test('is ended by an ABOR whose urgent last byte never arrives', async () => {
    const client = await loggedIn();
    const data = await client.openData();
    await client.ask('STOR urgent.jpg');
    data.write('x');
    client.send('ABOR\r');
    expect(await client.hear()).toMatch(/^426 /);
    expect(await client.hear()).toMatch(/^226 /);
    expect(await client.ask('NOOP')).toMatch(/^200 /);
  });

  test('delays QUIT and other commands until it ends', async () => {
    const client = await loggedIn();
    const data = await client.openData();
    await client.ask('STOR wait.jpg');
    client.send('NOOP\r\nQUIT\r\n');
    data.end('whole');
    expect(await client.hear()).toMatch(/^226 /);
    expect(await client.hear()).toMatch(/^200 /);
    expect(await client.hear()).toMatch(/^221 /);
    expect(ftp.folders.arrived).toHaveLength(1);
  });

  test('without a negotiated data connection is refused, and opens no file', async () => {
    const client = await loggedIn();
    expect(await client.ask('STOR none.jpg')).toMatch(/^425 /);
    expect(ftp.folders.content('/incoming/none.jpg')).toBeNull();
    expect(ftp.folders.cut).toEqual([]);
  });
});

describe('listings', () => {
  test('are available as ls -l, as names, as facts and on the control connection', async () => {
    const client = await loggedIn();
    ftp.folders.put('/done/old', 'folder');
    ftp.folders.put('/done/old/a.jpg', Buffer.alloc(1234), Date.UTC(2020, 0, 2, 3, 4, 5));
    ftp.folders.put('/done/old/b.png', Buffer.alloc(5), Date.UTC(2020, 10, 12));
    await client.ask('CWD /done/old');
    const text = async (command: string) => (await client.fetch(command)).content.toString();
    expect(await text('LIST -la')).toBe(
      '-rw-r--r--   1 ftp      ftp              1234 Jan  2  2020 a.jpg\r\n' +
        '-rw-r--r--   1 ftp      ftp                 5 Nov 12  2020 b.png\r\n',
    );
    expect(await text('LIST *.jpg')).toContain('a.jpg');
    expect(await text('LIST *.jpg')).not.toContain('b.png');
    expect(await text('NLST')).toBe('a.jpg\r\nb.png\r\n');
    expect(await text('NLST *.png')).toBe('b.png\r\n');
    expect(await text('NLST /done/old')).toBe('/done/old/a.jpg\r\n/done/old/b.png\r\n');
    expect(await text('MLSD')).toBe(
      'type=file;size=1234;modify=20200102030405;perm=dr; a.jpg\r\n' +
        'type=file;size=5;modify=20201112000000;perm=dr; b.png\r\n',
    );
    expect(await text('NLST /')).toBe('/done\r\n/failed\r\n/incoming\r\n');
    expect(await client.ask('OPTS MLST size;type;')).toBe('200 MLST OPTS type;size;');
    expect(await client.ask('MLST a.jpg')).toBe(
      '250-Facts:\r\n type=file;size=1234; /done/old/a.jpg\r\n250 End',
    );
    expect(await client.ask('MDTM a.jpg')).toBe('213 20200102030405');
    expect(await client.ask('STAT /done/old/a.jpg')).toMatch(/^213-[\s\S]* a\.jpg\r\n213 End$/);
    expect((await client.fetch('LIST nothing')).last).toMatch(/^550 /);
  });

  test('work over IPv6, where PASV is refused with a hint', async () => {
    const client = await loggedIn('::1');
    expect(await client.ask('PASV')).toMatch(/^425 .*EPSV/);
    expect((await client.fetch('NLST /')).content.toString()).toContain('/incoming');
    expect(await client.ask('EPSV 1')).toMatch(/^522 .*\(2\)/);
  });
});

test('a path outside done and failed is below incoming, and none is above the root', async () => {
  const client = await loggedIn();
  ftp.folders.put('/incoming/DCIM', 'folder');
  for (const [path, resolved] of [
    ['/DCIM', '/incoming/DCIM'],
    ['/incoming/DCIM', '/incoming/DCIM'],
    ['/../../../etc/../DCIM', '/incoming/DCIM'],
    ['/', '/'],
    ['DCIM', '/incoming/DCIM'],
    ['..', '/incoming'],
    ['../..', '/'],
    ['/done', '/done'],
  ]) {
    expect(await client.ask(`CWD ${path}`)).toBe(`250 "${resolved}" is the current folder.`);
  }
});

describe('commands', () => {
  test.each([
    ['PORT 127,0,0,1,200,10', '502'],
    ['EPRT |1|127.0.0.1|6275|', '502'],
    ['TYPE E', '504'],
    ['TYPE L 8', '200'],
    ['MODE Z', '504'],
    ['MODE s', '200'],
    ['STRU R', '504'],
    ['SITE CHMOD 777 x', '502'],
    ['ALLO 100', '200'],
    ['ALLO much', '501'],
    ['ACCT me', '202'],
    ['REST x', '501'],
    ['REST 99999999999999999', '501'],
    ['RNTO x', '503'],
    ['RNFR nothing', '550'],
    ['DELE nothing', '550'],
    ['MKD /done/x', '550'],
    ['RMD /incoming', '550'],
    ['SIZE /incoming', '550'],
    ['OPTS UTF8 ON', '200'],
    ['OPTS UTF8 OFF', '504'],
    ['CLNT test', '200'],
    ['MFMT 20200101000000 x', '502'],
    ['USER other', '503'],
    ['AUTH SSL', '504'],
    ['AUTH TLS', '503'],
    ['PBSZ 0', '503'],
    ['PROT P', '503'],
    ['CCC', '534'],
    ['CWD', '501'],
    ['FOO', '502'],
    ['!', '500'],
    ['HOST drop.example', '503'],
    ['STAT', '211'],
    ['HELP', '214'],
    ['FEAT', '211'],
    ['REIN', '220'],
  ])('%s is answered %s', async (line, code) => {
    const client = await loggedIn();
    expect((await client.ask(line)).slice(0, 3)).toBe(code);
  });

  test('EPSV ALL disables PASV, PORT and EPRT', async () => {
    const client = await loggedIn();
    expect(await client.ask('EPSV ALL')).toMatch(/^200 /);
    expect(await client.ask('PASV')).toMatch(/^503 /);
    expect(await client.ask('EPSV')).toMatch(/^229 /);
  });

  test('HOST before the log-in is passed to the log-in', async () => {
    const client = await connectRaw(ftp.port);
    clients.push(client);
    expect(await client.ask('HOST studio.drop.example')).toMatch(/^220 /);
    await client.logIn();
    expect(ftp.tried.at(-1)).toMatchObject({ host: 'studio.drop.example' });
  });

  test.each([
    ['CP850', Buffer.from('M\x81ller.jpg', 'latin1'), 'M_ller.jpg'],
    ['Windows-1252', Buffer.from('\x8cuvre \x80 \x96.jpg', 'latin1'), 'Œuvre € –.jpg'],
    ['a joined emoji', Buffer.from('👩\u200d🚀.jpg'), '👩🚀.jpg'],
    ['a joiner of Persian', Buffer.from('می\u200cخواهم.jpg'), 'میخواهم.jpg'],
    ['a turned direction', Buffer.from('\u202egpj.exe'), 'gpj.exe'],
    ['a tab', Buffer.from('a\tb.jpg'), 'a_b.jpg'],
    ['more than 255 bytes', Buffer.from(`${'é'.repeat(200)}.jpg`), `${'é'.repeat(125)}.jpg`],
  ])('a name with %s is cleaned, and the upload is taken', async (_, name, cleaned) => {
    const client = await loggedIn();
    const data = await client.openData();
    client.send(Buffer.concat([Buffer.from('STOR '), name, Buffer.from('\r\n')]));
    expect(await client.hear()).toBe(`150 FILE: /incoming/${cleaned}`);
    data.end('an image');
    expect(await client.hear()).toMatch(/^226 /);
    expect(ftp.folders.content(`/incoming/${cleaned}`)?.toString()).toBe('an image');
  });

  test('an upload that ends before the size that ALLO announced has not arrived', async () => {
    const client = await loggedIn();
    await client.ask('ALLO 9');
    expect(await client.store('STOR short.jpg', 'an image')).toMatch(/^426 Of the 9 bytes/);
    expect(ftp.folders.cut).toContainEqual({ path: '/incoming/short.jpg', sizeBytes: 8 });
    await client.ask('ALLO 8');
    expect(await client.store('STOR whole.jpg', 'an image')).toMatch(/^226 /);
  });

  test('the answer says when a name keeps a file from being processed', async () => {
    const client = await loggedIn();
    expect(await client.store('STOR ~beach.jpg', 'an image')).toMatch(/^226 .*after an hour/);
  });

  test('Latin-1 names of old cameras are decoded', async () => {
    const client = await loggedIn();
    client.send(Buffer.from('MKD caf\xe9\r\n', 'latin1'));
    expect(await client.hear()).toBe('257 "/incoming/café" is made.');
    expect(await client.ask('RMD café')).toMatch(/^250 /);
  });
});
