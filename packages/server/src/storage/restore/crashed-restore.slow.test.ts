import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { backupDatabase } from '../backup-database.js';
import { type DataFolder, dataFolder } from '../data-folder.js';
import { createTestDatabase } from '../fixtures/test-database.js';
import { openCommandStorage, openServiceStorage } from '../open-storage.js';
import { restoreDatabase } from '../restore.js';
import { openConnection } from '../sqlite/connection.js';
import { readSweepSuspension, restoreSuspensionMs } from '../sweep-suspension.js';
import { finishRestore, undoRestore } from './end-restore.js';
import { endIn } from './fixtures/run-restoring.js';
import { readRestoreMarker } from './restore-marker.js';

const script = fileURLToPath(new URL('./fixtures/restoring-process.js', import.meta.url));

let dir: string;
let folder: DataFolder;
let backup: string;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'lynceus-killed-'));
  folder = dataFolder(join(dir, 'data'));
  mkdirSync(folder.backupsDir, { recursive: true });
  await createTestDatabase(folder.dir);
  backup = backupDatabase(folder, join(dir, 'backup.db'), 0);
  // In the log alone, as a killed service leaves it.
  await endIn(script, 'commit', folder.dir, 'late');
  expect(existsSync(`${folder.databasePath}-wal`)).toBe(true);
});
afterEach(() => rmSync(dir, { recursive: true }));

function namesIn(path: string): readonly string[] {
  const connection = openConnection(path, { access: 'read', wal: false, busyTimeoutMs: 1000 });
  try {
    return connection.run('select name from account order by id', []).rows.map(({ name }) => String(name));
  } finally {
    connection.close();
  }
}

test('a restore that is killed at any step loses no commit: it is undone, finished or over', {
  timeout: 600_000,
}, async () => {
  const [undone, seen] = [dataFolder(join(dir, 'undone')), new Set<string>()];
  let crashedAt: string | null = null;
  for (let step = 0; ; step += 1) {
    const trial = dataFolder(join(dir, `trial ${step}`));
    cpSync(folder.dir, trial.dir, { recursive: true });
    crashedAt = await endIn(script, 'restore', trial.dir, backup, String(step));
    if (crashedAt === null) break;
    seen.add(crashedAt.replace(/moved .*[/]/, 'moved '));
    const marker = await readRestoreMarker(trial);
    if (marker === null) {
      const isOver = crashedAt === 'marker removed';
      expect([crashedAt, namesIn(trial.databasePath)]).toEqual([crashedAt, isOver ? [] : ['late']]);
      continue;
    }
    await expect(openServiceStorage(trial), crashedAt).rejects.toThrow(/restore --finish.*restore --undo/);
    await expect(openCommandStorage(trial), crashedAt).rejects.toThrow(/interrupted/);
    await expect(restoreDatabase(trial, backup, 0), crashedAt).rejects.toThrow(/interrupted/);
    expect(() => backupDatabase(trial, null, 0)).toThrow(/interrupted/);

    cpSync(trial.dir, undone.dir, { recursive: true });
    await undoRestore(undone, marker, { database: null });
    expect([crashedAt, namesIn(undone.databasePath)]).toEqual([crashedAt, ['late']]);
    rmSync(undone.dir, { recursive: true });

    const replacedDir = await finishRestore(trial, marker, { database: null });
    expect([crashedAt, namesIn(trial.databasePath)]).toEqual([crashedAt, []]);
    expect([crashedAt, namesIn(join(String(replacedDir), 'lynceus.db'))]).toEqual([crashedAt, ['late']]);
  }
  const steps = ['copied', 'sweeps suspended', 'marker written', 'moved lynceus.db', 'marker removed'];
  expect([...seen]).toEqual(expect.arrayContaining(steps));
});

test('a restore suspends sweeps for a day before it changes anything', async () => {
  const nowMs = 1_000_000;
  const steps: string[] = [];
  await restoreDatabase(folder, backup, nowMs, (step) => {
    steps.push(step);
    expect(existsSync(folder.sweepSuspensionPath) || !steps.includes('sweeps suspended')).toBe(true);
  });
  expect(steps.indexOf('sweeps suspended')).toBeLessThan(steps.indexOf('marker written'));
  expect(await readSweepSuspension(folder, nowMs)).toMatchObject({ untilMs: nowMs + restoreSuspensionMs });
});
