import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type DataFolder, dataFolder } from './data-folder.js';
import { readSweepSuspension, resumeSweeps, suspendSweeps } from './sweep-suspension.js';

let folder: DataFolder;
beforeEach(() => {
  folder = dataFolder(mkdtempSync(join(tmpdir(), 'lynceus-suspension-')));
});
afterEach(() => rmSync(folder.dir, { recursive: true }));

test('sweeps are not suspended unless something says so', async () => {
  expect(await readSweepSuspension(folder, 0)).toBeNull();
});

test('a suspension holds until its end', async () => {
  await suspendSweeps(folder, { untilMs: 1000, reason: 'restore' }, 0);
  expect(await readSweepSuspension(folder, 999)).toEqual({ untilMs: 1000, reason: 'restore' });
  expect(await readSweepSuspension(folder, 1000)).toBeNull();
});

test('a shorter suspension does not replace a longer one', async () => {
  await suspendSweeps(folder, { untilMs: 1000, reason: 'long' }, 0);
  await suspendSweeps(folder, { untilMs: 500, reason: 'short' }, 0);
  expect((await readSweepSuspension(folder, 0))?.reason).toBe('long');
});

test('sweeps can be resumed before the end', async () => {
  await suspendSweeps(folder, { untilMs: 1000, reason: 'restore' }, 0);
  await resumeSweeps(folder);
  expect(await readSweepSuspension(folder, 0)).toBeNull();
});

test('a damaged suspension is an error, not a permission to sweep', async () => {
  writeFileSync(folder.sweepSuspensionPath, '{"untilMs":');
  await expect(readSweepSuspension(folder, 0)).rejects.toMatchObject({ code: 'damaged' });
});
