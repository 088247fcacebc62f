import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { walkFolders } from './walk-folders.js';
import { watchFolders } from './watch-folders.js';

test('a folder that is away for some looks is watched again when it is back', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'lynceus-watch-'));
  const root = join(parent, 'root');
  await mkdir(join(root, 'inner'), { recursive: true });
  const seen = new Set<string>();
  const unreadable = new Set<string>();
  const stop = new AbortController();
  const watching = watchFolders(root, {
    ...{ settleMs: 100, lookEveryMs: 200, isRecursive: true, signal: stop.signal },
    walk: (path) => walkFolders(path, { isRecursive: true, onUnreadable: () => undefined }),
    async onFolder({ path, names }) {
      for (const name of names) seen.add(join(path, name));
      return [];
    },
    onUnreadable: (path) => unreadable.add(path),
    onNoReports: () => undefined,
  });
  try {
    await writeFile(join(root, 'inner', 'a.jpg'), 'a');
    await expect.poll(() => seen.has(join(root, 'inner', 'a.jpg'))).toBe(true);
    await rename(root, join(parent, 'away'));
    await expect.poll(() => unreadable.has(root), { timeout: 5000 }).toBe(true);
    await mkdir(join(root, 'inner'), { recursive: true });
    await writeFile(join(root, 'inner', 'b.jpg'), 'b');
    await expect.poll(() => seen.has(join(root, 'inner', 'b.jpg')), { timeout: 5000 }).toBe(true);
  } finally {
    stop.abort();
    await watching;
    await rm(parent, { recursive: true, force: true });
  }
});
