import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createCpuWaits } from './cpu-waits.js';

const isTold = existsSync(`/proc/${process.pid}/schedstat`);

test('processes that are gone, and systems that do not report it, have waited for nothing', async () => {
  const waits = createCpuWaits();
  expect([await waits.read([]), await waits.read([2 ** 30])]).toEqual([0, 0]);
});

test.skipIf(!isTold)('of more processes than cores each waits for a share of its time', async () => {
  const busy = Array.from({ length: 3 * availableParallelism() }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  );
  try {
    const pids = busy.flatMap(({ pid }) => pid ?? []);
    const waits = createCpuWaits();
    await sleep(500);
    await waits.read(pids);
    await sleep(1000);
    const share = await waits.read(pids);
    expect(share).toBeGreaterThan(0.4);
    expect(share).toBeLessThan(1);
  } finally {
    for (const process of busy) process.kill('SIGKILL');
  }
});
