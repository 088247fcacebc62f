import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

/** The fields of /proc/PID/stat from the third on (proc(5)): state, parent, …, utime. */
async function statOf(pid: number): Promise<readonly string[]> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') Z');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}
async function childOf(parent: number): Promise<number> {
  for (const name of await readdir('/proc')) {
    if (/^\d+$/.test(name) && (await statOf(Number(name)))[1] === String(parent)) return Number(name);
  }
  return 0;
}
const ticksOf = async (pid: number) => Number((await statOf(pid))[11] ?? 0);
/** Far more than reading the file takes, so that the process is within the loop. */
const ticksOfLoop = 200;

test.skipIf(process.platform !== 'linux')(
  'the process that tries a model that never terminates ends with its service',
  async () => {
    const entry = fileURLToPath(new URL('./fixtures/test-parent.js', import.meta.url));
    const parent = spawn(process.execPath, [entry], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    await expect.poll(() => childOf(parent.pid ?? 0), { timeout: 60_000 }).toBeGreaterThan(0);
    const pid = await childOf(parent.pid ?? 0);
    try {
      await expect.poll(() => ticksOf(pid), { timeout: 180_000 }).toBeGreaterThan(ticksOfLoop);
      parent.kill('SIGKILL');
      await expect.poll(async () => (await statOf(pid))[0], { timeout: 60_000 }).toBe('Z');
    } finally {
      if ((await statOf(pid))[0] !== 'Z') process.kill(pid, 'SIGKILL');
      await rm(line.toString().trim(), { recursive: true, force: true });
    }
  },
  360_000,
);
