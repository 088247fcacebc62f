import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { imagesInFolder } from './image-tree.js';

let dir: string;
let photos: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lynceus-folder-'));
  photos = join(dir, 'photos');
  await mkdir(join(photos, 'Ada', 'at sea'), { recursive: true });
  await writeFile(join(photos, 'Ada', '1.jpg'), 'one');
});
afterEach(() => rm(dir, { recursive: true }));

/** What each file of the folder says, by its path. */
async function readAll(): Promise<Record<string, string>> {
  const contents: Record<string, string> = {};
  for await (const file of imagesInFolder(photos, 100).list()) {
    if ('refusal' in file) {
      contents[file.path] = file.refusal;
      continue;
    }
    const content = await file.read();
    contents[file.path] = 'bytes' in content ? `${content.bytes}` : `${content.problem}: ${content.reason}`;
  }
  return contents;
}

test('files are read wherever they lie below it, and names are composed', async () => {
  await writeFile(join(photos, 'Ada', 'at sea', '2.jpg'), 'two');
  await mkdir(join(photos, 'Zoe\u0308'));
  await writeFile(join(photos, 'Zoe\u0308', '3.jpg'), 'three');
  for (const name of ['.DS_Store', 'Thumbs.db', 'desktop.ini']) await writeFile(join(photos, name), 'x');
  expect(await readAll()).toEqual({ 'Ada/1.jpg': 'one', 'Ada/at sea/2.jpg': 'two', 'Zoë/3.jpg': 'three' });
});

test('no link leads out of it, and none to a folder is followed', async () => {
  await mkdir(join(dir, 'photos2'));
  await writeFile(join(dir, 'photos2', 'secret.jpg'), 'secret');
  await symlink(join(dir, 'photos2', 'secret.jpg'), join(photos, 'Ada', 'out.jpg'));
  await symlink('../..', join(photos, 'Ada', 'up'));
  await symlink('.', join(photos, 'Ada', 'round'));
  await symlink('nowhere', join(photos, 'Ada', 'dead.jpg'));
  await symlink('1.jpg', join(photos, 'Ada', 'same.jpg'));
  expect(await readAll()).toEqual({
    'Ada/1.jpg': 'one',
    'Ada/out.jpg': 'it is a link that leads out of the folder',
    'Ada/up': 'it is a link that leads out of the folder',
    'Ada/round': 'it is a link to something else than a file',
    'Ada/dead.jpg': 'it is a link that leads nowhere',
    'Ada/same.jpg': 'one',
  });
});

test('a file that cannot be read is reported, and does not block', async () => {
  await writeFile(join(photos, 'Ada', 'large.jpg'), 'x'.repeat(101));
  execFileSync('mkfifo', [join(photos, 'Ada', 'pipe.jpg')]);
  const contents = await readAll();
  expect(contents['Ada/pipe.jpg']).toBe('it is neither a file nor a folder');
  expect(contents['Ada/large.jpg']).toMatch(/too-large: more than 100 bytes/);
  expect(contents['Ada/1.jpg']).toBe('one');
  for await (const file of imagesInFolder(photos, 100).list()) {
    await rm(join(photos, 'Ada'), { recursive: true, force: true });
    if ('read' in file) {
      expect(await file.read()).toEqual({ problem: 'not-read', reason: 'it cannot be read (ENOENT)' });
    }
  }
});

test.skipIf(process.getuid?.() === 0)('a folder without permission is one line', async () => {
  await mkdir(join(photos, 'Bob'));
  await chmod(join(photos, 'Bob'), 0);
  expect(await readAll()).toEqual({ 'Ada/1.jpg': 'one', Bob: 'the folder cannot be read (EACCES)' });
  await chmod(join(photos, 'Bob'), 0o700);
});
