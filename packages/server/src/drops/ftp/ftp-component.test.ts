import { afterEach, expect, test } from 'vitest';
import { until } from '../servers/fixtures/until.js';
import { parsePublicAddresses } from './addresses.js';
import { connectRaw } from './fixtures/raw-client.js';
import { startTestFtp, type TestFtp } from './fixtures/test-ftp.js';

let ftp: TestFtp | null = null;
afterEach(() => ftp?.stop());

test('a stop finishes the running upload and sends 421 to idle clients', async () => {
  ftp = await startTestFtp();
  const [busy, idle] = [await connectRaw(ftp.port), await connectRaw(ftp.port)];
  await busy.logIn();
  const data = await busy.openData();
  await busy.ask('STOR last.jpg');
  const drained = ftp.component.drain?.(new AbortController().signal);
  expect(await idle.hear()).toMatch(/^421 .*stops/);
  await expect(connectRaw(ftp.port)).rejects.toThrow();
  data.end('whole');
  expect(await busy.hear()).toMatch(/^226 /);
  expect(await busy.hear()).toMatch(/^421 /);
  await drained;
  expect(ftp.folders.arrived).toHaveLength(1);
  expect(ftp.component.isReady()).toBe('not listening');
});

test('an upload that exceeds the deadline of the stop is cut and has not arrived', async () => {
  ftp = await startTestFtp();
  const busy = await connectRaw(ftp.port);
  await busy.logIn();
  const data = await busy.openData();
  await busy.ask('STOR long.jpg');
  data.write('half');
  const deadline = new AbortController();
  const drained = ftp.component.drain?.(deadline.signal);
  await until(() => data.bytesWritten === 4);
  deadline.abort();
  expect(await busy.hear()).toMatch(/^426 /);
  expect(await busy.hear()).toMatch(/^421 /);
  await drained;
  expect(ftp.folders.arrived).toEqual([]);
  expect(ftp.folders.cut).toMatchObject([{ path: '/incoming/long.jpg' }]);
});

test('the start fails when the port is in use, and leaves nothing open', async () => {
  ftp = await startTestFtp();
  await expect(startTestFtp({ port: ftp.port })).rejects.toThrow(/EADDRINUSE/);
});

test('PASV announces the address configured for the network of the client', async () => {
  ftp = await startTestFtp({ publicAddresses: parsePublicAddresses('127.0.0.2/32=192.0.2.7, 203.0.113.5') });
  for (const [from, advertised] of [
    ['127.0.0.2', '192,0,2,7'],
    ['127.0.0.1', '203,0,113,5'],
  ] as const) {
    const client = await connectRaw(ftp.port, { from });
    await client.logIn();
    expect(await client.ask('PASV')).toContain(`(${advertised},`);
    client.close();
  }
});
