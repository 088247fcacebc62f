import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSpool, type Spool } from '../../../intake/spool.js';
import type { Finding } from '../findings.js';
import { openFindingsFile, toCsv } from './findings-file.js';

let dir: string;
let spool: Spool;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lynceus-findings-'));
  spool = await openSpool({ dir, maxBytes: 1_000_000 });
});
afterAll(() => rm(dir, { recursive: true }));

const finding = (file: string): Finding => ({
  ...{ problem: 'bad-label', file, imageId: null, message: 'a message', labels: 1 },
});

test('findings count for the account that imports, and one with full hands is refused its file alone', async () => {
  const held = spool.of(1).holdInMemory();
  held.reserve(499_000);
  const findings = await openFindingsFile(spool.of(1));
  for (let at = 0; at < 1000; at += 1) findings.add(finding(`${at}.jpg`));
  await expect(findings.end()).rejects.toMatchObject({ code: 'too_many_requests' });
  await findings.dispose();
  held.release();
  const others = await openFindingsFile(spool.of(2));
  others.add(finding('a.jpg'));
  expect(await others.end()).toEqual({ rows: 1, leftOut: 0 });
  await others.dispose();
  expect(spool.bytesInUse).toBe(0);
});

test('the bytes of a file are bounded, and names of files are cut to their end', async () => {
  const findings = await openFindingsFile(spool, { maxBytes: 20_000 });
  for (let at = 0; at < 100; at += 1) findings.add(finding(`${'x/'.repeat(2000)}${at}.jpg`));
  const { rows, leftOut } = await findings.end();
  expect(rows + leftOut).toBe(100);
  expect(rows).toBeGreaterThan(20);
  expect(spool.bytesInUse).toBeLessThanOrEqual(20_000);
  const lines = (await text(toCsv(findings.read()))).trim().split('\n');
  expect(lines).toHaveLength(rows + 1);
  expect(lines[1]).toMatch(/x\/0\.jpg/);
  await findings.dispose();
});
