import { spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const script = join(import.meta.dirname, '../../../scripts/setup/watch-below.mjs');

test('a source is watched on after it was replaced, and so is one in a new folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'lynceus-watched-'));
  await mkdir(join(folder, 'deep', 'er'), { recursive: true });
  const source = join(folder, 'deep', 'er', 'a.ts');
  await writeFile(source, '0');
  const words =
    "import(process.argv[1]).then(({ watchBelow }) => { watchBelow(process.argv[2], console.log); console.log('ready'); })";
  const watching = spawn(process.execPath, ['-e', words, script, folder]);
  onTestFinished(async () => {
    watching.kill();
    await rm(folder, { recursive: true, force: true });
  });
  let printed = '';
  watching.stdout.on('data', (data) => (printed += data));
  const seesNext = async (path: string, change: () => Promise<void>) => {
    printed = '';
    await change();
    await expect.poll(() => printed).toContain(`${path}\n`);
  };
  await expect.poll(() => printed).toContain('ready\n');
  for (const text of ['1', '2']) {
    await seesNext(source, async () => {
      await writeFile(join(folder, 'new'), text);
      await rename(join(folder, 'new'), source);
    });
  }
  await seesNext(source, () => writeFile(source, '3'));
  const later = join(folder, 'later', 'b.ts');
  await seesNext(later, async () => {
    await mkdir(join(folder, 'later'));
    await writeFile(later, '1');
  });
  await seesNext(later, () => writeFile(later, '2'));
  const again = join(folder, 'later', 'c.ts');
  // As git does where it changes to another branch: the watch of the former folder ends after that of the next could begin.
  rmSync(join(folder, 'later'), { recursive: true });
  mkdirSync(join(folder, 'later'));
  await seesNext(again, () => writeFile(again, '1'));
  await seesNext(again, () => writeFile(again, '2'));
  for (let round = 0; round < 50; round += 1) {
    mkdirSync(join(folder, 'short', 'lived'), { recursive: true });
    rmSync(join(folder, 'short'), { recursive: true });
  }
  await seesNext(again, () => writeFile(again, '3'));
});
