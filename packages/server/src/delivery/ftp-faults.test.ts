import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { mostCpuBetweenTurns } from '../core/fixtures/cpu-between-turns.js';
import { createDestination } from './create-destination.js';
import { calm, makeDelivery, makeDeps } from './fixtures/deliveries.js';
import { type FtpScript, type ScriptedFtp, startScriptedFtp } from './fixtures/scripted-ftp.js';
import { findFreePort } from './fixtures/started-program.js';

let scratch: string;
let server: ScriptedFtp | undefined;
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'ftp-faults-'));
});
afterEach(() => server?.stop());
afterAll(() => rm(scratch, { recursive: true, force: true }));

const limits = { connectTimeoutMs: 400, stallTimeoutMs: 400, wholeTimeoutMs: 10_000 };
const openAt = (port: number) =>
  createDestination(
    { kind: 'ftp', host: '127.0.0.1', port, user: 'desk' },
    { password: 'secret-word' },
    makeDeps({ limits }),
  );
const open = async (script: FtpScript) => {
  server = await startScriptedFtp(script);
  return { ...server, destination: openAt(server.port) };
};

test.each([
  ['a full disk', { STOR: '452 no space' }, 'full'],
  ['an exhausted quota', { STOR: '552 quota' }, 'full'],
  ['a folder without write permission', { STOR: '553 no' }, 'refused'],
  ['a refused rename', { RNTO: '553 no' }, 'refused'],
  ['a refused log-in', { PASS: '530 never secret-word' }, 'credentials'],
  ['too many log-ins', { USER: '421 too many' }, 'unreachable'],
  ['silence after the greeting', { USER: null }, 'unreachable'],
  ['silence during the upload', { STOR: null }, 'unreachable'],
  ['silence after the rename', { RNTO: null }, 'unreachable'],
  ['a different size', { SIZE: '213 3' }, 'mismatch'],
] satisfies [string, FtpScript, string][])(
  '%s is reported by its error code',
  async (_what, script, code) => {
    const { destination, files } = await open(script);
    const delivery = await makeDelivery(scratch, { 'a.jpg': 'image' });
    // By default a free name is searched first; on this server every name exists.
    const sent = { ...delivery, isRepeated: false };
    const replacing = createDestination(
      { kind: 'ftp', host: '127.0.0.1', port: server?.port ?? 0, user: 'desk', ifExists: 'replace' },
      { password: 'secret-word' },
      makeDeps({ limits }),
    );
    const failed = (code === 'mismatch' ? replacing : destination).deliver(sent, calm);
    await expect(failed).rejects.toMatchObject({ name: 'DeliveryError', code });
    await expect(failed).rejects.not.toThrow('secret-word');
    expect(files.has('a.jpg')).toBe(false);
  },
);

test('a server without TLS is not reported as a wrong password', async () => {
  const { port } = await open({ AUTH: '530 Please login with USER and PASS.' });
  const settings = { kind: 'ftps', host: '127.0.0.1', port, user: 'desk' } as const;
  const destination = createDestination(settings, { password: 'secret-word' }, makeDeps({ limits }));
  await expect(destination.test(calm)).rejects.toMatchObject({
    code: 'settings',
    message: expect.stringMatching(/refuses AUTH TLS.*Please login.*set tls to implicit.*set kind to ftp/),
  });
});

test('a lost reply to the rename does not create a second copy', async () => {
  const { destination, files } = await open({});
  const delivery = await makeDelivery(scratch, { 'a.jpg': 'image' });
  await destination.deliver(delivery, calm);
  files.set('.a.jpg.other.part', 'of another');
  await destination.deliver({ ...delivery, isRepeated: true }, calm);
  expect([...files.keys()].sort()).toEqual(['.a.jpg.other.part', 'a.jpg']);
});

test('the address that a server behind NAT names is not connected to, but its port at the host of the commands', async () => {
  const { destination, files, commands } = await open({ EPSV: '502 no' });
  await destination.deliver(await makeDelivery(scratch, { 'a.jpg': 'image' }), calm);
  expect([...files]).toEqual([['a.jpg', 'image']]);
  expect(commands).toContain('PASV');
});

test.each([
  ['digits', '1'.repeat(60_000)],
  ['numbers', '1,'.repeat(30_000)],
  ['long numbers', `${'1'.repeat(10_000)},`.repeat(6)],
  ['addresses without a port', '1,1,1,1,1,'.repeat(6000)],
])('an answer to PASV of nothing but %s takes no time and is reported', async (_what, text) => {
  const { destination } = await open({ EPSV: '502 no', PASV: `227 ${text}` });
  const delivery = await makeDelivery(scratch, { 'a.jpg': 'image' });
  const { most } = await mostCpuBetweenTurns(() =>
    expect(destination.deliver(delivery, calm)).rejects.toMatchObject({ code: 'unreachable' }),
  );
  expect(most).toBeLessThan(60);
});

test('a server without SIZE that permits uploads only is supported', async () => {
  const { destination, files, commands } = await open({ SIZE: '502 what?', RETR: '550 not for you' });
  const delivery = await makeDelivery(scratch, { 'a.jpg': 'image' });
  await destination.deliver(delivery, calm);
  await destination.deliver({ ...delivery, isRepeated: true }, calm);
  expect([...files]).toEqual([['a.jpg', 'image']]);
  expect(commands.filter((line) => line.startsWith('STOR'))).toHaveLength(1);
});

test('a server that never answers times out, and a refused connection is reported', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await new Promise((resolve) => silent.once('listening', resolve));
  const address = silent.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  await expect(openAt(port).test(calm)).rejects.toMatchObject({ code: 'unreachable' });
  silent.close();
  await expect(openAt(await findFreePort()).test(calm)).rejects.toThrow('the connection was refused');
});
