import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createWorkPlace } from './work-place.js';

test('work folders that are opened at the same time have a path each', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-work-place-'));
  try {
    const { open } = createWorkPlace(async () => dir);
    const opened = await Promise.all([open(), open(), open()]);
    expect(await readdir(dir)).toHaveLength(3);
    for (const each of opened) await each.remove();
    expect(await readdir(dir)).toEqual([]);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
});
