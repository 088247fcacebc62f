import { spawnSync } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { havePerl } from '../keywords/keyword-trial.js';
import { sample } from '../support/sample.js';
import { startTagTrial, type TagTrial } from './tag-trial.js';

let trial: TagTrial;
let disk: string;
let isMounted = false;
beforeAll(async () => {
  trial = await startTagTrial();
  disk = join(trial.folder, 'disk');
  await mkdir(disk);
  isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk]).status === 0;
});
afterAll(async () => {
  if (isMounted) spawnSync('umount', ['-l', disk]);
  await trial.close();
});

test.skipIf(!havePerl)(
  'wherever a full disk ends the work on an image, it stays whole, and the next run tags it',
  async (context) => {
    if (!isMounted) {
      console.warn('skipped: a small disk cannot be mounted here');
      context.skip();
    }
    const path = join(disk, 'a.jpg');
    await writeFile(path, sample);
    // Room for nothing, for part of the first copy, for part of the second, and for part of what the journal tries.
    for (const freeKiB of [4, 40, 120, 200]) {
      spawnSync('dd', ['if=/dev/zero', `of=${join(disk, 'filler')}`, 'bs=1024']);
      spawnSync('truncate', ['-s', `-${freeKiB}K`, join(disk, 'filler')]);
      await expect(trial.tag(disk), `${freeKiB} KiB`).rejects.toThrow(
        /no space|ENOSPC|could not be written|is full/i,
      );
      expect(await readFile(path), `${freeKiB} KiB`).toEqual(sample);
      await rm(join(disk, 'filler'));
    }
    expect(await trial.tag(disk)).toMatchObject([{ outcome: 'tagged' }]);
    expect(await trial.journal(disk)).toEqual(['.undo']);
    await trial.undo(disk);
    expect(await readFile(path)).toEqual(sample);
  },
);
