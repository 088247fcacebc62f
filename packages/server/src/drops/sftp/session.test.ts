import { randomBytes } from 'node:crypto';
import type ssh2 from 'ssh2';
import type { SFTPWrapper } from 'ssh2';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../servers/fixtures/until.js';
import { call, connectRawSession, connectSftp, text, uint32 } from './fixtures/sftp-client.js';
import { startTestSftp, type TestSftp } from './fixtures/test-sftp.js';

let server: TestSftp;
let sftp: SFTPWrapper;
beforeAll(async () => {
  server = await startTestSftp({ limits: { gapTimeoutMs: 50 } });
});
afterAll(() => server.stop());
beforeEach(async () => {
  sftp = await connectSftp(server);
});

const content = randomBytes(300_000);
const put = (path: string, flags: string, bytes: Buffer, at = 0) =>
  call<void>((done) => {
    const stream = sftp.createWriteStream(path, { flags, start: at } as never);
    stream.on('error', done).on('close', () => done(null, undefined));
    stream.end(bytes);
  });
const open = (path: string, flags: ssh2.OpenMode) => call<Buffer>((done) => sftp.open(path, flags, done));
const write = (handle: Buffer, at: number, bytes: Buffer) =>
  call<void>((done) => sftp.write(handle, bytes, 0, bytes.length, at, (error) => done(error, undefined)));
const close = (handle: Buffer) => call<void>((done) => sftp.close(handle, (error) => done(error, undefined)));
const stat = (path: string) => call<{ size: number; mode: number }>((done) => sftp.stat(path, done));
const names = async (path: string) =>
  (await call<readonly { filename: string }[]>((done) => sftp.readdir(path, done))).map(
    ({ filename }) => filename,
  );

describe('an upload', () => {
  test('has arrived when its CLOSE is answered, and not before', async () => {
    const handle = await open('/whole.jpg', 'w');
    await write(handle, 0, content.subarray(0, 20_000));
    expect(server.folders.arrived.map(({ path }) => path)).not.toContain('/incoming/whole.jpg');
    await close(handle);
    expect(server.folders.arrived.at(-1)).toEqual({
      path: '/incoming/whole.jpg',
      content: content.subarray(0, 20_000),
    });
    expect(server.events.at(-1)).toMatchObject({ kind: 'received', sizeBytes: 20_000 });
  });

  test('is cut when its client disconnects before the CLOSE, and resumed at its end or within', async () => {
    const handle = await open('resumed.jpg', 'w');
    await write(handle, 0, content.subarray(0, 1000));
    const before = server.folders.cut.length;
    sftp.end();
    await until(() => server.folders.cut.length > before);
    expect(server.folders.cut.at(-1)).toEqual({ path: '/incoming/resumed.jpg', sizeBytes: 1000 });
    sftp = await connectSftp(server);
    expect((await stat('resumed.jpg')).size).toBe(1000);
    await put('resumed.jpg', 'r+', content.subarray(900), 900);
    expect(server.folders.content('/incoming/resumed.jpg')?.equals(content)).toBe(true);
  });

  test('is appended to by APPEND, from the size that the client knows', async () => {
    server.folders.put('/incoming/appended.jpg', content.subarray(0, 500));
    await stat('appended.jpg');
    const known = await open('appended.jpg', 'a');
    await write(known, 500, content.subarray(500, 600));
    await close(known);
    const unknown = await open('appended.jpg', 'a');
    await write(unknown, 0, content.subarray(600));
    await close(unknown);
    expect(server.folders.content('/incoming/appended.jpg')?.equals(content)).toBe(true);
    await stat('appended.jpg');
    server.folders.put('/incoming/appended.jpg', content.subarray(0, 700));
    const changed = await open('appended.jpg', 'a');
    await expect(write(changed, content.length, content.subarray(0, 10))).rejects.toThrow(/has 700 bytes/);
    await expect(close(changed)).rejects.toThrow(/has 700 bytes/);
  });

  test('takes writes in any order within a window', async () => {
    const handle = await open('shuffled.jpg', 'w');
    const starts = Array.from({ length: 30 }, (_, index) => index * 10_000);
    await Promise.all(starts.reverse().map((at) => write(handle, at, content.subarray(at, at + 10_000))));
    await close(handle);
    expect(server.folders.content('/incoming/shuffled.jpg')?.equals(content)).toBe(true);
  });

  test.each([
    ['leaves a hole', [0, 20]],
    ['writes what is written already', [0, 5]],
    ['skips more than the window', [0, 10_000_000]],
  ])('that %s is refused, and has not arrived', async (what, [first = 0, second = 0]) => {
    const path = `${what}.jpg`;
    const handle = await open(path, 'w');
    await write(handle, first, content.subarray(0, 10));
    await expect(write(handle, second, content.subarray(0, 10))).rejects.toThrow(/hole|start/);
    await expect(close(handle)).rejects.toThrow(/hole|start/);
    expect(server.folders.arrived.map((each) => each.path)).not.toContain(`/incoming/${path}`);
    expect(server.folders.cut.at(-1)).toEqual({ path: `/incoming/${path}`, sizeBytes: 10 });
  });

  test('of a file that there is, for the first time alone, is refused', async () => {
    server.folders.put('/incoming/there.jpg', content);
    await expect(open('there.jpg', 'wx')).rejects.toThrow(/is there already/);
    await expect(open('nowhere.jpg', 'r+')).rejects.toThrow(/There is no file/);
    await expect(open('/done/x.jpg', 'w')).rejects.toMatchObject({ code: 3 });
    await expect(open('/incoming', 'w')).rejects.toThrow('This is a folder.');
  });

  test('without a byte is an empty file; one that there is stays as it is', async () => {
    await close(await open('empty.jpg', 'w'));
    expect(server.folders.content('/incoming/empty.jpg')?.length).toBe(0);
    server.folders.put('/incoming/kept.jpg', content);
    await close(await open('kept.jpg', 'a'));
    expect(server.folders.content('/incoming/kept.jpg')?.equals(content)).toBe(true);
  });
});

test('what clients set of a file is accepted, another size is not', async () => {
  server.folders.put('/incoming/set.jpg', content);
  await call<void>((done) => sftp.utimes('set.jpg', 1, 1, (error) => done(error, undefined)));
  await call<void>((done) => sftp.chmod('set.jpg', 0o600, (error) => done(error, undefined)));
  const set = (size: number) =>
    call<void>((done) => sftp.setstat('set.jpg', { size } as never, (error) => done(error, undefined)));
  await set(content.length);
  await expect(set(10)).rejects.toMatchObject({ code: 8 });
});

test('folders and files are made, listed, renamed and removed', async () => {
  const done = (start: (end: (error?: Error | null) => void) => void) =>
    call<void>((end) => start((error) => end(error, undefined)));
  await done((end) => sftp.mkdir('DCIM', end));
  await expect(done((end) => sftp.mkdir('DCIM', end))).rejects.toMatchObject({ code: 4 });
  await put('DCIM/x.part', 'w', content);
  expect(await names('/incoming/DCIM')).toEqual(['x.part']);
  await done((end) => sftp.rename('DCIM/x.part', '/DCIM/x.jpg', end));
  expect(server.folders.arrived.at(-1)?.path).toBe('/incoming/DCIM/x.jpg');
  await done((end) => sftp.ext_openssh_rename('DCIM/x.jpg', 'DCIM/y.jpg', end));
  await expect(done((end) => sftp.rmdir('DCIM', end))).rejects.toMatchObject({ code: 4 });
  await done((end) => sftp.unlink('DCIM/y.jpg', end));
  await done((end) => sftp.rmdir('DCIM', end));
  await expect(stat('DCIM')).rejects.toMatchObject({ code: 2 });
  expect(await names('/')).toEqual(['done', 'failed', 'incoming']);
  expect((await stat('/')).mode & 0o170000).toBe(0o040000);
  expect(await call<string>((end) => sftp.realpath('.', end))).toBe('/incoming');
  await expect(call<string>((end) => sftp.readlink('x', end))).rejects.toMatchObject({ code: 8 });
});

test('a folder is listed a hundred entries at a time', async () => {
  server.folders.put('/incoming/many', 'folder');
  for (let index = 0; index < 350; index++)
    server.folders.put(`/incoming/many/${index}.jpg`, Buffer.alloc(1));
  expect(await names('many')).toHaveLength(350);
});

test('a download is whole, also where it is read backwards', async () => {
  server.folders.put('/done/back.jpg', content);
  const handle = await open('/done/back.jpg', 'r');
  const read = (at: number, length: number) =>
    call<Buffer>((done) => {
      const buffer = Buffer.alloc(length);
      sftp.read(handle, buffer, 0, length, at, (error, count) => done(error, buffer.subarray(0, count)));
    });
  expect((await read(200_000, 30_000)).equals(content.subarray(200_000, 230_000))).toBe(true);
  expect((await read(230_000, 10)).equals(content.subarray(230_000, 230_010))).toBe(true);
  expect((await read(0, 10)).equals(content.subarray(0, 10))).toBe(true);
  expect((await read(299_990, 100)).equals(content.subarray(299_990))).toBe(true);
  // The library's way to say that the end is reached.
  expect(await read(300_000, 10)).toHaveLength(0);
  await expect(write(handle, 0, content)).rejects.toMatchObject({ code: 3 });
  await close(handle);
  await expect(close(handle)).rejects.toThrow('This handle is not open.');
});

test('extensions of OpenSSH are offered, and answer', async () => {
  const session = await connectRawSession(server);
  session.send(1, uint32(3));
  const version = (await session.hear())?.toString('latin1') ?? '';
  expect(version).toMatch(/posix-rename@openssh\.com.*statvfs@.*fsync@.*limits@openssh\.com/s);
  session.send(200, uint32(7), text('limits@openssh.com'));
  const limits = await session.hear();
  expect([limits?.[0], limits?.readBigUInt64BE(5), limits?.readBigUInt64BE(29)]).toEqual([
    201,
    262_144n,
    20n,
  ]);
  session.send(200, uint32(8), text('statvfs@openssh.com'), text('.'));
  const disk = await session.hear();
  expect([disk?.readBigUInt64BE(21), disk?.readBigUInt64BE(29)]).toEqual([1000n, 100n]);
  session.send(200, uint32(9), text('copy-data'), text('x'));
  expect((await session.hear())?.readUInt32BE(5)).toBe(8);
});
