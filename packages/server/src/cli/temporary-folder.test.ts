import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const module = new URL('./temporary-folder.js', import.meta.url).href;

let parent: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'lynceus-temporary-'));
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

/** A process that has made a folder, and goes on with `then`. */
async function start(then: string): Promise<{ readonly child: ChildProcess; readonly dir: string }> {
  const script = `
    const { createTemporaryFolder } = await import(${JSON.stringify(module)});
    const { dir } = await createTemporaryFolder('test');
    process.stdout.write(dir + '\\n');
    ${then}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, TMPDIR: parent },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line]: unknown[] = await once(child.stdout, 'data');
  return { child, dir: String(line).trim() };
}

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'a process that ends by %s leaves no folder',
  async (signal) => {
    const { child, dir } = await start('setInterval(() => {}, 1000);');
    expect(existsSync(dir)).toBe(true);
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([null, signal]);
    expect(readdirSync(parent)).toEqual([]);
  },
);

test('a process that exits early leaves no folder', async () => {
  const { child } = await start('setTimeout(() => process.exit(3), 10);');
  expect(await once(child, 'exit')).toEqual([3, null]);
  expect(readdirSync(parent)).toEqual([]);
});

test('a signal that the command handles itself is left to it', async () => {
  const { child, dir } = await start(`
    process.on('SIGINT', () => { process.stdout.write('handled'); });
    setInterval(() => {}, 1000);`);
  child.kill('SIGINT');
  if (child.stdout) await once(child.stdout, 'data');
  expect(existsSync(dir)).toBe(true);
  child.kill('SIGTERM');
  await once(child, 'exit');
  expect(existsSync(dir)).toBe(false);
});
