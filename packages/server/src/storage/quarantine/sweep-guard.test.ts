import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSweepGuard } from './open-quarantine.js';
import { isSuspicious, type SweepGuard } from './sweep-guard.js';

let dir: string;
let guard: SweepGuard;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'lynceus-guard-'));
  guard = openSweepGuard({ quarantineDir: join(dir, 'quarantine') }, null);
});
afterEach(() => rmSync(dir, { recursive: true }));

test.each([
  { orphans: 0, items: 0, asks: false },
  { orphans: 1, items: 1, asks: false },
  { orphans: 1, items: 3, asks: false },
  { orphans: 2, items: 3, asks: true },
  { orphans: 3, items: 3, asks: true },
  { orphans: 10, items: 20, asks: false },
  { orphans: 11, items: 109, asks: true },
  { orphans: 11, items: 110, asks: false },
  { orphans: 100, items: 1000, asks: false },
  { orphans: 101, items: 1_000_000, asks: true },
])('$orphans orphans among $items items: a sweep asks: $asks', ({ asks, ...found }) => {
  expect(isSuspicious(found)).toBe(asks);
});

test('a confirmation is for about the number seen, for a day, and is used up', async () => {
  expect(await guard.confirm('faces', 0)).toBeNull();
  await guard.block('faces', { orphans: 200, items: 400 }, 5);
  expect(await guard.block('faces', { orphans: 200, items: 401 }, 9)).toMatchObject({
    sinceMs: 5,
    items: 401,
  });
  expect(await guard.isConfirmed('faces', 200, 10)).toBe(false);
  await guard.confirm('faces', 10);
  expect(await guard.isConfirmed('faces', 220, 11)).toBe(true);
  expect(await guard.isConfirmed('faces', 221, 11)).toBe(false);
  expect(await guard.isConfirmed('models', 1, 11)).toBe(false);
  expect(await guard.isConfirmed('faces', 200, 11 + 25 * 3_600_000)).toBe(false);
  await guard.clear('faces');
  expect([await guard.isConfirmed('faces', 1, 11), await guard.readBlocked('faces')]).toEqual([false, null]);
});

test('a damaged confirmation is an error and no permission', async () => {
  mkdirSync(join(dir, 'quarantine', 'confirmed'), { recursive: true });
  writeFileSync(join(dir, 'quarantine', 'confirmed', 'faces.json'), '{"orphans":');
  await expect(guard.isConfirmed('faces', 1, 0)).rejects.toMatchObject({ code: 'damaged' });
});
