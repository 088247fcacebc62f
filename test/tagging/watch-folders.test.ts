import { appendFile, mkdir, open, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFolderTagging } from '#server/tagging/folder-tagging.js';
import type { TagVerdict } from '#server/tagging/verdict.js';
import { walkFolders } from '#server/tagging/walk-folders.js';
import { watchFolders } from '#server/tagging/watch-folders.js';
import { havePerl } from '../keywords/keyword-trial.js';
import { sample } from '../support/sample.js';
import { startTagTrial, type TagTrial } from './tag-trial.js';

const settleMs = 400;

describe.skipIf(!havePerl)('watching folders', () => {
  let trial: TagTrial;
  const outcomes = new Map<string, string>();
  const stop = new AbortController();
  let watching: Promise<void>;
  beforeAll(async () => {
    trial = await startTagTrial();
    await mkdir(join(trial.folder, 'early'));
    await writeFile(join(trial.folder, 'early', 'a.jpg'), sample);
    const { signal } = stop;
    const tagging = createFolderTagging({ ...trial.usual, isWatching: true, settleMs });
    watching = watchFolders(trial.folder, {
      ...{ signal, settleMs, lookEveryMs: 600_000, isRecursive: true },
      walk: (path) => walkFolders(path, { isRecursive: true, onUnreadable: () => undefined }),
      async onFolder(folder) {
        const verdicts: TagVerdict[] = [];
        await tagging.tag(folder, {
          inFlight: 2,
          signal,
          onVerdict: (verdict) => verdicts.push(verdict),
        });
        for (const { path, outcome } of verdicts) outcomes.set(path, outcome);
        return verdicts.flatMap(({ path, outcome }) =>
          outcome === 'unsettled' ? [path.slice(folder.path.length + 1)] : [],
        );
      },
      onUnreadable: (path, error) => outcomes.set(path, String(error)),
      onNoReports: (path, error) => outcomes.set(path, String(error)),
    }).finally(() => tagging.end());
  });
  afterAll(async () => {
    stop.abort();
    await watching;
    await trial.close();
  });
  const outcomeOf = (...names: string[]) => expect.poll(() => outcomes.get(join(trial.folder, ...names)));

  test('files that are there, that arrive, and that arrive in a new folder are tagged', async () => {
    await outcomeOf('early', 'a.jpg').toMatch(/tagged|done-before/);
    await writeFile(join(trial.folder, 'early', 'b.jpg'), sample);
    await mkdir(join(trial.folder, 'new', 'inner'), { recursive: true });
    await writeFile(join(trial.folder, 'new', 'inner', 'c.jpg'), sample);
    await outcomeOf('early', 'b.jpg').toMatch(/tagged|done-before/);
    await outcomeOf('new', 'inner', 'c.jpg').toMatch(/tagged|done-before/);
    await writeFile(join(trial.folder, 'x.part'), sample);
    await rename(join(trial.folder, 'x.part'), join(trial.folder, 'd.jpg'));
    await outcomeOf('d.jpg').toMatch(/tagged|done-before/);
  });

  test('a file that grows is left until it has stopped, and keeps all its bytes', async () => {
    const path = join(trial.folder, 'grows.jpg');
    const file = await open(path, 'w');
    for (let at = 0; at < sample.length; at += 20_000) {
      await file.write(sample.subarray(at, at + 20_000));
      expect(outcomes.get(path) ?? 'unsettled').toBe('unsettled');
      await sleep(settleMs / 4);
    }
    await file.close();
    await outcomeOf('grows.jpg').toMatch(/tagged|done-before/);
    // Until the guard of the file has run out, the folder is that of the command that watches it.
    const undo = async () =>
      (await trial.undo(trial.folder)).find((verdict) => verdict.path === path)?.outcome;
    await expect.poll(undo, { timeout: 20_000 }).toBe('undone');
    await outcomeOf('grows.jpg').toBe('undone-before');
    await appendFile(path, 'edited');
    await outcomeOf('grows.jpg').toMatch(/tagged|done-before/);
  });
});
