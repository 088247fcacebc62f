import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { findReadOnlyView } from './read-only-view.js';

const run = promisify(execFile);
/** Outside of what is hidden everywhere, as the data folder of a service is. */
const dir = mkdtempSync(join(import.meta.dirname, 'view '));
writeFileSync(join(dir, 'secret'), 'secret');
afterAll(() => rmSync(dir, { recursive: true }));

const view = await findReadOnlyView(['/bin/true'], [dir]);
// Containers and some distributions keep their users from making namespaces.
const maybe = test.skipIf(view.length === 0);

const inView = async (words: string) => {
  const [program = '', ...args] = [...view, '/bin/sh', '-c', words];
  return run(program, args, { cwd: '/' }).then(
    ({ stdout }) => stdout,
    (error: { stderr?: string }) => `failed: ${error.stderr}`,
  );
};

maybe('folders of users and of the service are empty, and nothing can be written', async () => {
  expect(await inView(`ls -A '${dir}' '${tmpdir()}' /home`)).not.toContain('secret');
  expect(await inView(`cat '${dir}/secret'`)).toMatch(/No such file/);
  // A clone below /tmp or /root is hidden as a whole.
  const isSeen = (await inView(`test -d '${import.meta.dirname}' && echo seen`)).includes('seen');
  const refused = isSeen ? /Read-only file system/ : /Directory nonexistent|No such file/;
  expect(await inView(`echo x > '${dir}/new'`)).toMatch(refused);
  expect(await inView(`echo x > '${import.meta.dirname}/new'`)).toMatch(refused);
  expect(await inView('cat /proc/self/status')).toMatch(/CapEff:\s+0{16}[\s\S]+NoNewPrivs:\s+1/);
});

maybe('what is hidden cannot be brought back', async () => {
  const commands = [`umount '${dir}'`, 'mount -o remount,bind,rw /'];
  for (const command of commands) expect(await inView(command)).toMatch(/failed/);
  const again = commands.map((command) => `unshare --user --map-root-user --mount -- ${command}`);
  for (const command of again) expect(await inView(command)).toMatch(/failed/);
});

maybe('the environment of another process of the same user cannot be read', async () => {
  const other = spawn('sleep', ['60'], { env: { ...process.env, SECRET: 'of the service' } });
  try {
    await once(other, 'spawn');
    const read = `cat /proc/${other.pid}/environ`;
    expect((await run('/bin/sh', ['-c', read])).stdout).toContain('of the service');
    expect(await inView(read)).toMatch(/Permission denied/);
  } finally {
    other.kill();
  }
});

test('a program in a folder that would be hidden is still found; one that does not run has no view', async () => {
  const bin = join(dir, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'tool'), '#!/bin/sh\n[ "$1" = -version ]', { mode: 0o755 });
  const words = [join(bin, 'tool'), '-version'] as const;
  expect((await findReadOnlyView(words, [dir])).length > 0).toBe(view.length > 0);
  expect(await findReadOnlyView([join(bin, 'tool')], [dir])).toEqual([]);
});
