import { expect, test } from 'vitest';
import { until } from '../servers/fixtures/until.js';
import { loggedIn, started } from './fixtures/attacked.js';

const seldom = { limits: { accessCheckMs: 60_000 } };
const often = { limits: { accessCheckMs: 20 } };

test('ends the session with the reason at the first command after the key was revoked', async () => {
  const ftp = await started(seldom);
  const client = await loggedIn(ftp);
  expect(await client.ask('MKD before')).toMatch(/^257 /);
  ftp.access.isOpen = false;
  expect(await client.ask('MKD after')).toMatch(/^421 .*revoked.*deleted/);
  expect(await client.hear()).toBe('');
  expect(ftp.folders.asked).not.toContainEqual(['incoming', 'after']);
});

test('ends an idle session soon after the key was revoked', async () => {
  const ftp = await started(often);
  const client = await loggedIn(ftp);
  ftp.access.isOpen = false;
  expect(await client.hear()).toMatch(/^421 .*revoked/);
  expect(await client.hear()).toBe('');
});

test('cuts a running upload and ends its session when the key is revoked', async () => {
  const ftp = await started(often);
  const client = await loggedIn(ftp);
  const data = await client.openData();
  await client.ask('STOR long.jpg');
  data.write('the beginning');
  const drip = setInterval(() => data.write('x'), 5);
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(ftp.folders.openUploads).toBe(1);
  ftp.access.isOpen = false;
  expect(await client.hear()).toMatch(/^426 /);
  expect(await client.hear()).toMatch(/^421 .*revoked/);
  clearInterval(drip);
  await until(() => ftp.folders.openUploads === 0);
  expect(ftp.folders.arrived).toEqual([]);
  expect(ftp.folders.cut).toHaveLength(1);
});

test('keeps sessions whose key is valid', async () => {
  const ftp = await started(often);
  const client = await loggedIn(ftp);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(await client.ask('NOOP')).toMatch(/^200 /);
});
