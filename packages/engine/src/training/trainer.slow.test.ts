import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { testJob as newJob } from './fixtures/test-job.js';
import { createTrainer, type TrainerOptions } from './trainer.js';
import type { TrainingProgress } from './training-job.js';

const entry = new URL('./fixtures/test-process.js', import.meta.url);
/** With usual priority, for the machine may be busy. */
const trainer = (options: Partial<TrainerOptions> = {}) =>
  createTrainer({ maxRssBytes: 2 ** 32, nice: 0, entry, ...options });

const dirs: string[] = [];
async function testJob(title: string) {
  const job = await newJob(title);
  dirs.push(job.cacheDir);
  return job;
}
afterAll(() => Promise.all(dirs.map((dir) => rm(dir, { recursive: true }))));

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

const pidOf = async (cacheDir: string) => Number(await readFile(join(cacheDir, 'pid'), 'utf8'));

// At the lowest priority a busy machine lets it wait.
test('a training run has the lowest priority and sees no secret of the service', {
  timeout: 300_000,
}, async () => {
  process.env['LYNCEUS_FIRST_KEY'] = 'secret';
  const { report } = await createTrainer({ maxRssBytes: 2 ** 32, entry })
    .train(await testJob('look'))
    .finally(() => delete process.env['LYNCEUS_FIRST_KEY']);
  const { environment } = report as unknown as { environment: string[] };
  expect(report).toMatchObject({ priority: 19 });
  // A container may refuse the call, as it would refuse this one.
  const mayBeIdle = spawnSync('chrt', ['--idle', '0', 'true']).status === 0;
  if (mayBeIdle) expect(report).toMatchObject({ policy: 5 });
  expect(environment).not.toContain('LYNCEUS_FIRST_KEY');
  expect(environment).toContain('ORT_DISABLE_TELEMETRY');
});

test.each([
  [{ processes: 1 }, 0],
  [{ processes: 3 }, 2],
  [{ processes: 0 }, availableParallelism() - 1],
  [{ processes: 8, maxRssBytes: 2 ** 30 }, 1],
  [{ processes: 8, maxRssBytes: 2 ** 29 }, 0],
])('a trainer of %j lets %i processes help', async (options, most) => {
  const { report } = await trainer(options).train(await testJob('look'));
  expect(report).toMatchObject({ helpers: { most: Math.min(most, 7) } });
});

test('progress comes at most a few times a second, however often it is reported', async () => {
  const seen: TrainingProgress[] = [];
  await trainer().train(await testJob('progress'), { onProgress: (progress) => seen.push(progress) });
  expect(seen.length).toBeGreaterThan(1);
  expect(seen.length).toBeLessThan(8);
});

test.each([
  ['refuse', { code: 'impossible', message: 'add images of cats' }],
  ['crash', { code: 'process-crashed', message: expect.stringContaining('SIGSEGV') }],
  ['fill', { code: 'disk-full', message: expect.stringContaining('no room') }],
  ['fault', { code: 'fault', message: expect.not.stringContaining('secret') }],
])('a training run that ends in "%s" says so and leaves its folder empty', async (title, error) => {
  const job = await testJob(title);
  const faults: string[] = [];
  const onFault = (detail: string) => faults.push(detail);
  await expect(trainer({ onFault }).train(job)).rejects.toMatchObject(error);
  expect(await readdir(job.outDir)).toEqual([]);
  expect(faults.length).toBe(title === 'fault' ? 1 : 0);
});

test('a training run above its memory limit is killed and says what to do', async () => {
  const job = await testJob('grow');
  const run = trainer({ maxRssBytes: 300 * 2 ** 20 }).train(job);
  await expect(run).rejects.toMatchObject({
    code: 'too-large',
    message: expect.stringContaining('300 MiB'),
  });
});

test('a training run past its time limit is killed, even one that blocks its thread, and says what to do', async () => {
  const job = await testJob('silent');
  const run = trainer({ timeoutMs: 15_000 }).train(job);
  await expect(run).rejects.toMatchObject({
    code: 'timed-out',
    message: expect.stringContaining('trainingTimeoutMs'),
  });
  expect(await readdir(job.outDir)).toEqual([]);
});

test.each(['rest', 'spin'])(
  'a cancelled training run is killed at once, even in the middle of "%s"',
  async (title) => {
    const job = await testJob(title);
    const cancel = new AbortController();
    const run = trainer().train(job, { signal: cancel.signal, onProgress: () => cancel.abort() });
    await expect(run).rejects.toMatchObject({ code: 'cancelled' });
    expect(isAlive(await pidOf(job.cacheDir))).toBe(false);
    expect(await readdir(job.outDir)).toEqual([]);
  },
);

test('a job that contradicts itself is refused with what to fix', async () => {
  const job = await testJob('look');
  const run = trainer().train({ ...job, labels: job.labels.slice(0, 1) });
  await expect(run).rejects.toMatchObject({
    code: 'impossible',
    message: expect.stringContaining('of the 2 labels that it needs'),
  });
});

test.each(['rest', 'spin', 'silent'])(
  'a training run ends with its service, even in the middle of "%s"',
  async (title) => {
    const parent = spawn(
      process.execPath,
      [fileURLToPath(new URL('./fixtures/test-parent.js', import.meta.url)), title],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const dir = line.toString().trim();
    dirs.push(dir);
    await expect.poll(() => pidOf(dir).catch(() => 0)).toBeGreaterThan(0);
    const pid = await pidOf(dir);
    parent.kill('SIGKILL');
    await expect.poll(() => isAlive(pid)).toBe(false);
  },
);
