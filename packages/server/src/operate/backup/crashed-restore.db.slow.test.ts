import { cpSync, createReadStream, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { dataFolder } from '../../storage/data-folder.js';
import { openServiceStorage } from '../../storage/open-storage.js';
import { finishRestore, undoRestore } from '../../storage/restore/end-restore.js';
import { endIn } from '../../storage/restore/fixtures/run-restoring.js';
import { readRestoreMarker } from '../../storage/restore/restore-marker.js';
import { backUp, outsideOf, restoreFrom } from './fixtures/archiving.js';
import { type FilledFolder, type FolderState, filesIn, openFolder } from './fixtures/filled-folder.js';

const script = fileURLToPath(new URL('./fixtures/restoring-process.js', import.meta.url));

let here: FilledFolder;
let archive: string;
let newerArchive: string;
let [older, newer]: FolderState[] = [];
beforeEach(async () => {
  here = await openFolder();
  await here.fill('old');
  older = await here.state();
  archive = (await backUp(here)).path;
  await here.fill('new');
  newer = await here.state();
  newerArchive = (await backUp(here, 'newer.tar')).path;
});
afterEach(() => here.drop());

const isOutside = () => here.testDatabase.databaseUrl !== '';

/** Of two steps in a row, such as two folders that were moved, one: each takes a process, and with PostgreSQL two dumps. */
test('a restore with files that is killed at any step ends in the old state or in the new one', {
  timeout: 600_000,
}, async () => {
  const seen: string[] = [];
  const original = here.folder.dir;
  for (let step = 0; ; step += isOutside() ? 4 : 2) {
    const trial = join(here.dir, `trial ${step}`);
    cpSync(original, trial, { recursive: true });
    const folder = dataFolder(trial);
    const crashedAt = await endIn(script, trial, archive, String(step), here.testDatabase.databaseUrl);
    if (crashedAt === null) break;
    seen.push(crashedAt);
    const marker = await readRestoreMarker(folder);
    if (marker === null) {
      if (crashedAt !== 'marker removed')
        expect([crashedAt, filesIn(folder)]).toEqual([crashedAt, newer?.files]);
      continue;
    }
    await expect(openServiceStorage(folder, here.testDatabase), crashedAt).rejects.toThrow(
      /--finish.*--undo/,
    );
    // What a process left that was killed in the middle of it.
    mkdirSync(folder.backupStagingDir, { recursive: true });
    const undone = dataFolder(join(here.dir, 'undone'));
    cpSync(trial, undone.dir, { recursive: true });
    const database = (of: typeof folder) => outsideOf(of, here.testDatabase);

    // First, since both have the one database where it is in PostgreSQL: an undo leaves it as it is unless loading began.
    await undoRestore(undone, marker, { database: database(undone) });
    expect([crashedAt, await here.stateOf(undone)]).toEqual([crashedAt, newer]);
    await finishRestore(folder, marker, { database: database(folder) });
    expect([crashedAt, await here.stateOf(folder)]).toEqual([crashedAt, older]);
    expect(existsSync(folder.backupStagingDir)).toBe(false);
    if (isOutside()) {
      await restoreFrom(here, createReadStream(newerArchive));
      rmSync(here.folder.backupsDir, { recursive: true });
    }
    for (const each of [folder, undone]) rmSync(each.dir, { recursive: true });
  }
  expect(seen.length).toBeGreaterThan(4);
});

test('a restore after one that was killed while unpacking begins from nothing', async () => {
  const crashedAt = await endIn(script, here.folder.dir, archive, '0', here.testDatabase.databaseUrl);
  expect([crashedAt, existsSync(here.folder.restoringDir)]).toEqual(['unpacked', true]);
  await restoreFrom(here, createReadStream(archive));
  expect(await here.state()).toEqual(older);
});
