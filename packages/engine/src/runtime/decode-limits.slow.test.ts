import { mkdtemp, rm } from 'node:fs/promises';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, expect, test } from 'vitest';
import { EngineError } from '../errors.js';
import { runLengthBmp } from '../image/fixtures/run-length-bmp.js';
import type { RunnerEvent } from './events.js';
import { jobOf, runTask, testRunner } from './fixtures/test-tasks.js';
import type { ProcessRunner, ProcessRunnerOptions } from './process-runner.js';

const isLinux = platform() === 'linux';
let runner: ProcessRunner;
const events: RunnerEvent[] = [];

async function start(options: Partial<ProcessRunnerOptions>): Promise<void> {
  events.length = 0;
  runner = testRunner({ onEvent: (event) => events.push(event), ...options });
  await runner.start();
}

afterEach(() => runner.close());

async function failureOf(job: Promise<unknown>): Promise<EngineError> {
  const error = await job.catch((reason: unknown) => reason);
  if (error instanceof EngineError) return error;
  throw new Error('the job did not fail as expected', { cause: error });
}

/** Takes seconds to decode, on the thread that would hear of an abort. */
const large = {
  source: { kind: 'bytes', bytes: runLengthBmp(8000, 8000) },
  limits: { maxPixels: 64_000_000 },
} as const;

test.runIf(isLinux).each(['digest', 'thumbnail'])(
  'decoding above its processor time ends the process and the job, which fails with the limit: %s',
  async (task) => {
    await start({ decodeMaxCpuMs: 100 });
    const { tasks } = jobOf(task, task === 'digest' ? { ms: 0 } : { maxSidePx: 8000 });
    const error = await failureOf(runner.analyse({ ...large, tasks }, { priority: 'interactive' }));
    expect(error.code).toBe('image-too-complex');
    expect(error.message).toContain('more than 0.1 s of processor time');
    // Counted by the system in ticks.
    expect(error.cpuMs).toBeGreaterThan(80);
    // The next job of another image gets a new process at once, and no crash is counted.
    await runTask(runner, 'rest', { ms: 1 });
    expect(events.map(({ type }) => type)).toEqual(['started', 'overworked', 'started']);
    expect(runner.stats()).toMatchObject({ crashed: 0, timeouts: 1 });
  },
);

test.runIf(isLinux)('an AVIF has more time, by its pixels, and the error names its limit', async () => {
  const plain = sharp({ create: { width: 4000, height: 4000, channels: 3, background: '#888' } });
  const bytes = await plain.avif({ effort: 0 }).toBuffer();
  await start({ decodeMaxCpuMs: 10 });
  for (const [task, options] of [
    ['digest', { ms: 0 }],
    ['thumbnail', { maxSidePx: 4000 }],
  ] as const) {
    const { tasks } = jobOf(task, options);
    const job = { source: { kind: 'bytes', bytes }, limits: large.limits, tasks } as const;
    const error = await failureOf(runner.analyse(job, { priority: 'interactive' }));
    expect(error.message).toContain('more than 0.02 s of processor time');
  }
});

test('only decoding counts: a model may take longer', async () => {
  await start({ decodeMaxCpuMs: 100 });
  await runTask(runner, 'spin', { ms: 800 });
  expect(runner.stats()).toMatchObject({ crashed: 0, timeouts: 0 });
});

test.runIf(isLinux)(
  'memory above the limit is the fault of the image in processes for built-in models',
  async () => {
    await start({ jobMaxRssBytes: 400 * 2 ** 20 });
    const error = await failureOf(runTask(runner, 'swell', { bytes: 2 ** 30, ms: 60_000 }));
    expect(error).toMatchObject({ code: 'image-too-complex', message: expect.stringContaining('400 MiB') });
    await runTask(runner, 'rest', { ms: 1 });
    expect(runner.stats()).toMatchObject({ crashed: 0, outgrown: 1 });
  },
);

test.runIf(isLinux)(
  'a job that does not fit beside what earlier ones left gets a fresh process, once',
  async () => {
    await start({ jobMaxRssBytes: 700 * 2 ** 20 });
    const swell = (mebibytes: number, ms: number) =>
      runTask(runner, 'swell', { bytes: mebibytes * 2 ** 20, ms });
    await runTask(runner, 'grow', { bytes: 350 * 2 ** 20 });
    await swell(350, 2500);
    expect(events.map(({ type }) => type)).toEqual(['started', 'outgrown', 'started']);
    expect((await failureOf(swell(1000, 60_000))).code).toBe('image-too-complex');
    expect(runner.stats()).toMatchObject({ crashed: 0, outgrown: 3 });
  },
);

test.runIf(isLinux)(
  'a shared job whose helper did not fit beside what earlier jobs left gets a fresh process alone, once',
  async () => {
    const dir = await mkdtemp(join(tmpdir(), 'lynceus-decode-limits-'));
    await start({ processes: 2, jobMaxRssBytes: 420 * 2 ** 20, sharing: { dir, maxBytes: 2 ** 24 } });
    await expect.poll(() => runner.stats().processes.map(({ state }) => state)).toEqual(['idle', 'idle']);
    // The first chain is the helper's: it is offered before the process that decoded asks for one.
    const shared = (bytes: number, ms: number) => {
      const tasks = [...jobOf('swell', { bytes, ms }).tasks, ...jobOf('rest', { ms: 500 }).tasks];
      return runner.analyse({ ...jobOf('rest', {}), tasks }, { priority: 'interactive' });
    };
    // The first process, which will decode, has room for what the second one has not: that one alone can be ended.
    const [lead, helper] = await Promise.all([
      runTask(runner, 'rest', { ms: 200 }),
      runTask(runner, 'grow', { bytes: 200 * 2 ** 20 }),
    ]);
    expect(helper.pid).not.toBe(lead.pid);
    expect((await shared(200 * 2 ** 20, 3000)).results).toHaveProperty('swell');
    expect(events.filter(({ type }) => type === 'outgrown')).toMatchObject([{ pid: helper.pid }]);
    expect(runner.stats()).toMatchObject({ crashed: 0, outgrown: 1 });
    expect((await failureOf(shared(2 ** 30, 60_000))).code).toBe('image-too-complex');
    await rm(dir, { recursive: true });
  },
);

test.runIf(isLinux)('a job that is ended for memory while the service stops is refused', async () => {
  let closing: Promise<void> | undefined;
  await start({
    jobMaxRssBytes: 700 * 2 ** 20,
    onEvent: ({ type }) => {
      if (type === 'outgrown') closing = runner.close();
    },
  });
  await runTask(runner, 'grow', { bytes: 350 * 2 ** 20 });
  const job = runTask(runner, 'swell', { bytes: 350 * 2 ** 20, ms: 60_000 });
  expect((await failureOf(job)).code).toBe('busy');
  await closing;
});

test.runIf(isLinux)(
  'in processes for customers’ models it is the fault of the image while that is decoded',
  async () => {
    await start({ jobMaxRssBytes: 180 * 2 ** 20, outgrownBy: 'model' });
    const { tasks } = jobOf('digest', { ms: 0 });
    const error = await failureOf(runner.analyse({ ...large, tasks }, { priority: 'interactive' }));
    expect(error).toMatchObject({ code: 'image-too-complex', message: expect.stringContaining('180 MiB') });
  },
);
