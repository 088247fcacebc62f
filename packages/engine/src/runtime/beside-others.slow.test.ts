import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EngineError } from '../errors.js';
import { jobOf, runTask, testRunner } from './fixtures/test-tasks.js';
import type { RunOptions } from './job.js';
import type { ProcessRunner } from './process-runner.js';

let dir: string;
const runners: ProcessRunner[] = [];

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lynceus-beside-'));
});
afterAll(async () => {
  await Promise.all(runners.map((runner) => runner.close()));
  await rm(dir, { recursive: true });
});

async function started(processes: number): Promise<ProcessRunner> {
  const sharing = { dir: join(dir, `${runners.length}`), maxBytes: 2 ** 24 };
  const runner = testRunner({ processes, sharing, jobTimeoutMs: 200_000, halvesBesideOthers: true });
  runners.push(runner);
  await runner.start();
  await expect.poll(() => states(runner), { timeout: 60_000 }).not.toContain('starting');
  return runner;
}
const states = (runner: ProcessRunner) => runner.stats().processes.map(({ state }) => state);
const busy = (runner: ProcessRunner) => states(runner).filter((state) => state === 'busy').length;
const by = (owner: string, priority: RunOptions['priority'] = 'interactive') => ({ owner, priority });

/** A job of two chains, which two processes share where they may. */
const twoChains = () => {
  const [one, two] = [jobOf('rest', { ms: 300 }), jobOf('digest', { ms: 300 })];
  return { ...one, tasks: [...one.tasks, ...two.tasks] };
};

test('one owner alone holds every process, and shares one image among them', async () => {
  const runner = await started(2);
  const job = runner.analyse(twoChains(), by('a'));
  await expect.poll(() => busy(runner)).toBe(2);
  await job;
  const jobs = [1, 2].map(() => runTask(runner, 'rest', { ms: 300 }, by('a')));
  expect(busy(runner)).toBe(2);
  await Promise.all(jobs);
});

test.each([
  [2, 1],
  [3, 2],
])('of %i processes it holds %i while another has asked within the last minute', async (processes, half) => {
  const runner = await started(processes);
  await runTask(runner, 'rest', { ms: 1 }, by('b', 'background'));
  let most = 0;
  const watch = setInterval(() => {
    most = Math.max(most, busy(runner));
  }, 5);
  // By one job for each process, and by shared ones.
  await Promise.all(
    Array.from({ length: 2 * processes }, () => runTask(runner, 'rest', { ms: 100 }, by('a'))),
  );
  await runner.analyse(twoChains(), by('a'));
  expect(most).toBe(half);
  const others = [1, 2, 3, 4].map(() => runTask(runner, 'rest', { ms: 200 }, by('a')));
  const { pid } = await runTask(runner, 'rest', { ms: 1 }, by('b', 'batch'));
  expect(pid).toBeGreaterThan(0);
  expect(busy(runner)).toBe(half);
  await Promise.all(others);
  clearInterval(watch);
});

test('an owner whose jobs are expensive waits for its own', async () => {
  const runner = await started(1);
  await runTask(runner, 'burn', { cpuMs: 300 }, by('a'));
  const first = runTask(runner, 'burn', { cpuMs: 20 }, by('b'));
  const order: string[] = [];
  const note = (owner: string) => () => order.push(owner);
  await Promise.all([
    first,
    ...[1, 2].map(() => runTask(runner, 'burn', { cpuMs: 20 }, by('a')).then(note('a'))),
    ...[1, 2, 3, 4, 5].map(() => runTask(runner, 'burn', { cpuMs: 20 }, by('b')).then(note('b'))),
  ]);
  expect(order).toEqual(['b', 'b', 'b', 'b', 'b', 'a', 'a']);
});

test('what a time-out or a crash ended says what it took of the processor', async () => {
  const runner = testRunner({ jobTimeoutMs: 1000 });
  runners.push(runner);
  await runner.start();
  for (const [task, code] of [
    ['spin', 'timeout'],
    ['crash', 'process-crashed'],
  ] as const) {
    const error: unknown = await runTask(runner, task, { ms: 60_000 }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code, cpuMs: expect.any(Number) });
    const cpuMs = error instanceof EngineError ? (error.cpuMs ?? 0) : 0;
    expect(cpuMs).toBeGreaterThan(0);
    expect(cpuMs).toBeLessThan(30_000);
  }
});
