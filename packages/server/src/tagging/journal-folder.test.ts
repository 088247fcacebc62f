import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openJournal } from './journal-folder.js';
import { TagProblem } from './tag-problem.js';

test('a journal that is refused leaves no folder behind, and one that was there stays', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-journal-'));
  try {
    const refuse = async () => {
      throw new TagProblem('other users may write to it');
    };
    await expect(openJournal(dir, refuse)).rejects.toThrow('other users may write to it');
    expect(await readdir(dir)).toEqual([]);
    await mkdir(join(dir, '.lynceus-tag'));
    await expect(openJournal(dir, refuse)).rejects.toThrow('other users may write to it');
    expect(await readdir(dir)).toEqual(['.lynceus-tag']);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
});
