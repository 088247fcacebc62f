import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { runCommandLine } from './main.js';
import { openArchive } from './verify.js';

test('an archive that cannot be opened ends the command with words, also where it is read late', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lynceus-unreadable-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  // It is there, and nothing can open it, not even root.
  const path = join(folder, 'archive.tar');
  const server = createServer().listen(path);
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const notes: string[] = [];
  const context = {
    env: { LYNCEUS_DATA_DIR: join(folder, 'data') },
    cwd: folder,
    print: () => undefined,
    note: (text: string) => {
      notes.push(text);
    },
  };
  const archive = openArchive(context, path);
  for (let turns = 0; turns < 20; turns += 1) await turn();
  await expect(archive[Symbol.asyncIterator]().next()).rejects.toThrow(path);

  expect(await runCommandLine(['restore', '--with-files', path], context)).toBe(1);
  expect(notes.at(-1)).toContain(path);
  expect(notes.at(-1)).not.toContain('    at ');
});
