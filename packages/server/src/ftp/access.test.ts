import { expect, test } from 'vitest';
import { loggedIn, started } from './fixtures/attacked.js';
import { until } from './fixtures/until.js';

const seldom = { limits: { accessCheckMs: 60_000 } };
const often = { limits: { accessCheckMs: 20 } };

test('a key that was revoked obeys no further command: the session ends with the reason', async () => {
  const ftp = await started(seldom);
  const client = await loggedIn(ftp);
  expect(await client.ask('MKD before')).toMatch(/^257 /);
  ftp.access.isOpen = false;
  expect(await client.ask('MKD after')).toMatch(/^421 .*revoked.*deleted/);
  expect(await client.hear()).toBe('');
  expect(ftp.folders.asked).not.toContainEqual(['incoming', 'after']);
});

test('a session without a command is ended soon after', async () => {
  const ftp = await started(often);
  const client = await loggedIn(ftp);
  ftp.access.isOpen = false;
  expect(await client.hear()).toMatch(/^421 .*revoked/);
  expect(await client.hear()).toBe('');
});

test('an upload that is under way is cut, and its session ended', async () => {
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

test('others stay, and before the log-in nothing is asked', async () => {
  const ftp = await started(often);
  const client = await loggedIn(ftp);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(await client.ask('NOOP')).toMatch(/^200 /);
});
