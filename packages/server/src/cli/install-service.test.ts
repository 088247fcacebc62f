import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runCommandLine } from './main.js';

/** An image of a machine. */
let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'lynceus-machine-'));
  await mkdir(join(root, 'etc'));
  await writeFile(join(root, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\n');
});
afterEach(() => rm(root, { recursive: true, force: true }));

async function install(...words: string[]) {
  const printed: string[] = [];
  const write = (text: string) => void printed.push(text);
  const context = { env: {}, cwd: root, print: write, note: write };
  const code = await runCommandLine(['install-service', '--root', root, ...words], context);
  return { code, text: printed.join('\n') };
}

test('a dry run shows user, folders and files, and makes none; or says why this clone cannot be a service', async () => {
  const { code, text } = await install('--dry-run');
  expect(await readdir(root)).toEqual(['etc']);
  expect(await readdir(join(root, 'etc'))).toEqual(['passwd']);
  if (code === 0) {
    expect(text).toContain('would make  user lynceus');
    expect(text).toContain('would make  unit /etc/systemd/system/lynceus.service');
    expect(text).toMatch(/ExecStart=\S+ \S+scripts\/start\.mjs/);
  } else {
    // Where the tests run in a home or a temporary folder.
    expect(text).toMatch(/which a service is not shown; install it|cannot be read by every user/);
  }
});

test.each(['../x', 'Upper', 'a b', ''])('the name %j is refused', async (name) => {
  expect(await install('--dry-run', '--name', name)).toMatchObject({
    ...{ code: 2, text: expect.stringContaining('Give lower-case letters') },
  });
});
