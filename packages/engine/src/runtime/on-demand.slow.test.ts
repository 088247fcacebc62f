import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { RunnerEvent } from './events.js';
import { outcomeOf, runTask, testRunner } from './fixtures/test-tasks.js';
import type { ProcessRunner, ProcessRunnerOptions } from './process-runner.js';

const mebibyte = 2 ** 20;
const timeout = 120_000;
const runners: ProcessRunner[] = [];
afterEach(() => Promise.all(runners.splice(0).map((runner) => runner.close())));

async function started(options: Partial<ProcessRunnerOptions>) {
  const events: RunnerEvent[] = [];
  const runner = testRunner({ onEvent: (event) => events.push(event), ...options });
  runners.push(runner);
  await runner.start();
  return { runner, events };
}
const pidsOf = (runner: ProcessRunner) => runner.stats().processes.map(({ pid }) => pid);
const until = (isSo: () => boolean) => vi.waitUntil(isSo, { timeout });

describe('processes on demand', { timeout }, () => {
  test('are started with the first job, no more than there are jobs for, and end when they are idle', async () => {
    const { runner, events } = await started({ processes: 3, idleEndMs: 300 });
    expect(pidsOf(runner)).toEqual([]);
    expect(await outcomeOf(runTask(runner, 'rest', { ms: 1 }))).toBe('done');
    expect(events.filter(({ type }) => type === 'started')).toHaveLength(1);
    await until(() => pidsOf(runner).length === 0);
    expect(events.map(({ type }) => type)).toContain('idle-ended');
    expect(await outcomeOf(runTask(runner, 'rest', { ms: 1 }))).toBe('done');
    expect(runner.stats()).toMatchObject({ crashed: 0, recycled: 0 });
  });

  test('are started no more often than an owner may have, and the others of it wait', async () => {
    const { runner } = await started({ processes: 2, idleEndMs: 60_000, maxRunningPerOwner: 1 });
    const run = (owner: string) =>
      runTask(runner, 'rest', { ms: 100 }, { priority: 'interactive', owner }).then(({ pid }) => pid);
    const pids = await Promise.all([run('a'), run('a'), run('a')]);
    expect(new Set(pids).size).toBe(1);
    expect(pidsOf(runner)).toHaveLength(1);
  });

  test('stay busy with an aborted job, which counts for its owner until it ends', async () => {
    const { runner } = await started({ processes: 2, idleEndMs: 60_000, maxRunningPerOwner: 1 });
    await runTask(runner, 'rest', { ms: 1 });
    const abortController = new AbortController();
    const spun = outcomeOf(
      runTask(
        runner,
        'spin',
        { ms: 1500 },
        { priority: 'interactive', owner: 'a', signal: abortController.signal },
      ),
    );
    await until(() => runner.stats().processes.some(({ state }) => state === 'busy'));
    abortController.abort();
    expect(await spun).toBe('aborted');
    const next = runTask(runner, 'rest', { ms: 1 }, { priority: 'interactive', owner: 'a' });
    expect(runner.stats().queued.interactive).toBe(1);
    expect(pidsOf(runner)).toHaveLength(1);
    expect((await next).pid).toBe(pidsOf(runner)[0]);
  });

  test('that crash are replaced with the next job, not before', async () => {
    const { runner } = await started({ processes: 2, idleEndMs: 60_000 });
    expect(await outcomeOf(runTask(runner, 'crash', {}))).toBe('process-crashed');
    await until(() => pidsOf(runner).length === 0);
    expect(await outcomeOf(runTask(runner, 'rest', { ms: 1 }))).toBe('done');
    expect(runner.stats().crashed).toBe(1);
  });

  test('are the first to be killed where memory runs out', async () => {
    const { runner } = await started({ processes: 1, idleEndMs: 60_000, oomScoreAdj: 1000 });
    const { pid } = await runTask(runner, 'rest', { ms: 1 });
    expect(readFileSync(`/proc/${pid}/oom_score_adj`, 'latin1').trim()).toBe('1000');
  });
});

describe('memory', { timeout }, () => {
  const limit = { jobMaxRssBytes: 600 * mebibyte, outgrownBy: 'model' } as const;

  test('above the limit ends the process during the job, which fails by its reason; others are not touched', async () => {
    const { runner, events } = await started({ processes: 2, ...limit });
    await until(() => runner.stats().processes.every(({ state }) => state === 'idle'));
    const beside = runTask(runner, 'rest', { ms: 3000 }, { priority: 'interactive', owner: 'b' });
    // It would hold the memory for a minute.
    const job = runTask(runner, 'swell', { bytes: 3000 * mebibyte, ms: 60_000 });
    expect(await outcomeOf(job)).toBe('memory');
    expect(await outcomeOf(beside)).toBe('done');
    const outgrown = events.find((event) => event.type === 'outgrown');
    expect(outgrown).toMatchObject({ maxRssBytes: limit.jobMaxRssBytes });
    await until(() => !pidsOf(runner).includes(outgrown?.pid));
    expect(runner.stats()).toMatchObject({ outgrown: 1, timeouts: 0 });
    expect(await outcomeOf(runTask(runner, 'rest', { ms: 1 }))).toBe('done');
  });

  test('of processes on demand is back, and the next job is not held up by it', async () => {
    const { runner, events } = await started({ processes: 1, idleEndMs: 60_000, ...limit });
    for (let round = 0; round < 3; round += 1) {
      expect(await outcomeOf(runTask(runner, 'swell', { bytes: 3000 * mebibyte, ms: 60_000 }))).toBe(
        'memory',
      );
    }
    expect(await outcomeOf(runTask(runner, 'rest', { ms: 1 }))).toBe('done');
    expect(events.filter(({ type }) => type === 'process-crashed')).toEqual([]);
    expect(runner.stats()).toMatchObject({ outgrown: 3, crashed: 0 });
  });

  test.each([{ idleEndMs: 60_000 }, {}])(
    'far above its size has a process recycled after the first such job, not only after fifty: %o',
    async (options) => {
      const { runner } = await started({ processes: 1, maxRssBytes: 300 * mebibyte, ...options });
      const before = await runTask(runner, 'rest', { ms: 1 });
      await runTask(runner, 'grow', { bytes: 400 * mebibyte });
      await until(() => runner.stats().recycled === 1 && !pidsOf(runner).includes(before.pid));
      const after = await runTask(runner, 'rest', { ms: 1 });
      expect(after.pid).not.toBe(before.pid);
      expect(runner.stats()).toMatchObject({ recycled: 1, crashed: 0 });
    },
  );
});

test('an owner with 200 jobs waiting lets the one job of another run within the next few', {
  timeout,
}, async () => {
  const { runner } = await started({ processes: 1, queueMax: 1000 });
  const ended: string[] = [];
  const run = (owner: string) =>
    runTask(runner, 'rest', { ms: 1 }, { priority: 'batch', owner }).then(() => ended.push(owner));
  const all = Array.from({ length: 200 }, () => run('a'));
  all.push(run('b'));
  await Promise.all(all);
  expect(ended.indexOf('b')).toBeLessThan(4);
  expect(ended).toHaveLength(201);
});
