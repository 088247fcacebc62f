import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import type { RunnerEvent } from './events.js';
import { outcomeOf, runTask, testRunner } from './fixtures/test-tasks.js';
import type { ProcessRunner, ProcessRunnerOptions } from './process-runner.js';

const runners: ProcessRunner[] = [];
async function started(options: Partial<ProcessRunnerOptions> = {}) {
  const events: RunnerEvent[] = [];
  const runner = testRunner({ onEvent: (event) => events.push(event), ...options });
  runners.push(runner);
  const start = performance.now();
  await runner.start();
  return { runner, events, startMs: performance.now() - start };
}

/** Time to start one process, which takes long on a busy machine. */
const promptMs = (startMs: number) => Math.max(60_000, 10 * startMs);

afterEach(() => Promise.all(runners.splice(0).map((runner) => runner.close())));

async function until(condition: () => boolean, timeoutMs = 120_000): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (!condition()) {
    if (performance.now() > end) throw new Error('waited in vain');
    await sleep(10);
  }
}

describe('a process killed with -9', () => {
  test('fails the one job inside it, and the next is answered as soon as a process starts', async () => {
    const { runner, events, startMs } = await started({ processes: 2 });
    await until(() => runner.stats().processes.every(({ state }) => state === 'idle'));
    const jobs = Array.from({ length: 6 }, () => outcomeOf(runTask(runner, 'rest', { ms: 150 })));
    process.kill(runner.stats().processes[0]?.pid ?? 0, 'SIGKILL');
    const start = performance.now();
    const outcomes = await Promise.all(jobs);
    expect(outcomes.filter((outcome) => outcome === 'process-crashed')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(5);
    await until(() => runner.stats().processes.filter(({ state }) => state === 'idle').length === 2);
    expect(performance.now() - start).toBeLessThan(1_000 + promptMs(startMs));
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'process-crashed',
        cause: 'signal SIGKILL',
        duringJob: true,
        delayMs: 0,
      }),
    );
  });

  test('as the only one, is replaced in time for the next job', async () => {
    const { runner, startMs } = await started();
    expect(await outcomeOf(runTask(runner, 'crash', {}))).toBe('process-crashed');
    const start = performance.now();
    expect(await outcomeOf(runTask(runner, 'rest', { ms: 1 }))).toBe('done');
    expect(performance.now() - start).toBeLessThan(promptMs(startMs));
  });
});

test('a job that crashes its process is never retried, and repeated crashes delay replacements', async () => {
  const { runner, events } = await started();
  for (let round = 0; round < 4; round += 1) {
    expect(await outcomeOf(runTask(runner, 'crash', {}))).toBe('process-crashed');
  }
  const delays = events.flatMap((event) => (event.type === 'process-crashed' ? [event.delayMs] : []));
  expect(delays).toEqual([0, 100, 200, 400]);
  expect(await outcomeOf(runTask(runner, 'rest', { ms: 1 }))).toBe('done');
});

test('a job past its time limit fails with timeout, even when it holds the thread', async () => {
  const { runner, events } = await started({ jobTimeoutMs: 5_000 });
  // Longer than the test may take: it has to be ended.
  expect(await outcomeOf(runTask(runner, 'spin', { ms: 600_000 }))).toBe('timeout');
  expect(await outcomeOf(runTask(runner, 'rest', { ms: 1 }))).toBe('done');
  expect(runner.stats().timeouts).toBe(1);
  expect(events.map(({ type }) => type)).toContain('timeout');
});

test('processes that never start are reported, and not retried for ever', async () => {
  const missing = testRunner({ entry: new URL('./fixtures/no-such-entry.js', import.meta.url) });
  runners.push(missing);
  await expect(missing.start()).rejects.toMatchObject({
    code: 'internal',
    message: expect.stringContaining('no inference process starts'),
  });
  expect(missing.stats().processes).toEqual([]);
});

test('a process that has grown is replaced under load; no job is lost and one process is always available', async () => {
  const { runner, events } = await started({
    processes: 2,
    maxRssBytes: 350 * 2 ** 20,
    recycleMinJobs: 3,
    queueMax: 1000,
  });
  const pids = new Set<number>();
  let fewest = 2;
  const jobs = Array.from({ length: 60 }, async () => {
    const { pid } = await runTask(runner, 'grow', { bytes: 20 * 2 ** 20 });
    pids.add(pid);
    const serving = runner.stats().processes.filter(({ state }) => state !== 'starting').length;
    fewest = Math.min(fewest, serving);
    await runTask(runner, 'rest', { ms: 20 });
  });
  expect(await Promise.all(jobs.map(outcomeOf))).toEqual(Array(60).fill('done'));
  const countRecycled = () => events.filter(({ type }) => type === 'recycled').length;
  // On a busy machine all are done before the first replacement has started: it takes jobs from then on.
  while (countRecycled() === 0 || pids.size <= 2) pids.add((await runTask(runner, 'grow', { bytes: 1 })).pid);
  expect(fewest).toBeGreaterThanOrEqual(1);
  expect(runner.stats()).toMatchObject({ crashed: 0, recycled: countRecycled() });
});

test.each(['that works', ...(process.platform === 'linux' ? ['that is paused'] : [])])(
  'a service killed with -9 leaves no process behind %s',
  async (which) => {
    const parent = fork(new URL('./fixtures/test-parent.js', import.meta.url), { stdio: 'inherit' });
    const [pids] = (await once(parent, 'message')) as [number[]];
    expect(pids).toHaveLength(2);
    if (which === 'that is paused') for (const pid of pids) process.kill(pid, 'SIGSTOP');
    parent.kill('SIGKILL');
    const isAlive = (pid: number) => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    };
    await until(() => !pids.some(isAlive), 3_000);
  },
);
