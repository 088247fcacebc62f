import { mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { TaskCall } from '../tasks/registry.js';
import { outcomeOf, type TestTasks, testRunner } from './fixtures/test-tasks.js';
import { installTinyModel } from './fixtures/tiny-model.js';
import type { AnalyseJob, Analysis } from './job.js';
import type { ProcessRunner, ProcessRunnerOptions } from './process-runner.js';

let dir: string;
let spool: string;
let photo: Buffer;
/** Two processes that may share; it outlives every test but the last. */
let pair: ProcessRunner;
const others: ProcessRunner[] = [];

beforeAll(async () => {
  const noise = { type: 'gaussian', mean: 120, sigma: 40 } as const;
  const create = { width: 640, height: 480, channels: 3, background: 'teal', noise } as const;
  photo = await sharp({ create }).blur(2).jpeg().toBuffer();
  dir = await mkdtemp(join(tmpdir(), 'lynceus-sharing-'));
  spool = join(dir, 'spool');
  pair = await started();
});
afterEach(() => Promise.all(others.splice(0).map((runner) => runner.close())));
afterAll(async () => {
  await pair.close();
  await rm(dir, { recursive: true });
});

async function started(options: Partial<ProcessRunnerOptions> = {}): Promise<ProcessRunner> {
  const sharing = { dir: spool, maxBytes: 2 ** 24 };
  const runner = testRunner({ processes: 2, sharing, ...options });
  await runner.start();
  while (states(runner).includes('starting')) await sleep(20);
  return runner;
}
async function startedAside(options: Partial<ProcessRunnerOptions> = {}): Promise<ProcessRunner> {
  const runner = await started(options);
  others.push(runner);
  return runner;
}
const states = (runner: ProcessRunner) => runner.stats().processes.map(({ state }) => state);

type Calls = { readonly [Name in keyof TestTasks]?: TestTasks[Name]['options'] } & { classify?: object };
type Results = { readonly [Name in keyof TestTasks]: TestTasks[Name]['result'] };

/** Runs several of the test tasks on the photograph; the registry's types do not include them. */
async function run(
  runner: ProcessRunner,
  calls: Calls,
  signal?: AbortSignal,
  source: AnalyseJob['source'] = { kind: 'bytes', bytes: photo },
) {
  const tasks = Object.entries(calls).map(([task, options]) => ({ task, options }) as unknown as TaskCall);
  const job = { source, limits: { maxPixels: 1e6 }, tasks } as const;
  const analysis = await runner.analyse(job, { priority: 'interactive', ...(signal ? { signal } : {}) });
  return { ...analysis, results: analysis.results as unknown as Results & Analysis['results'] };
}

describe('with an idle process', () => {
  test('both work on one image, see the same pixels as one would, and leave no file', async () => {
    const model = await installTinyModel(dir, 'tiny');
    const calls = { digest: { ms: 300 }, rest: { ms: 300 }, classify: { model, topK: 3 } };
    const apart = await run(pair, calls);
    const pids = new Set([apart.results.digest.pid, apart.results.rest.pid]);
    expect(pids.size).toBe(2);
    expect(await readdir(spool)).toEqual([]);

    const alone = await run(await startedAside({ sharing: { dir: spool, maxBytes: 0 } }), calls);
    expect(alone.results.digest.pid).toBe(alone.results.rest.pid);
    expect(apart.results.digest.sha256).toBe(alone.results.digest.sha256);
    expect(apart.results.classify).toEqual(alone.results.classify);
    expect(apart.image).toEqual(alone.image);
    expect(apart.models).toEqual(alone.models);
    expect(Object.keys(apart.timingsMs).sort()).toEqual(Object.keys(alone.timingsMs).sort());
  });

  test('whichever process sees the pixels second sees the same', async () => {
    const { results } = await run(pair, { rest: { ms: 200 }, digest: { ms: 1 } });
    const { results: turned } = await run(pair, { digest: { ms: 1 }, rest: { ms: 200 } });
    expect(results.digest.pid).not.toBe(results.rest.pid);
    expect(turned.digest).toMatchObject({ sha256: results.digest.sha256, width: 640 });
  });

  test('a job of one chain stays where it is', async () => {
    const runner = await started();
    await run(runner, { rest: { ms: 50 } });
    expect(
      runner
        .stats()
        .processes.map(({ jobsDone }) => jobsDone)
        .sort(),
    ).toEqual([0, 1]);
  });

  test('an image above the budget of bytes stays in one process', async () => {
    const runner = await startedAside({ sharing: { dir: spool, maxBytes: 1000 } });
    const { results } = await run(runner, { digest: { ms: 100 }, rest: { ms: 100 } });
    expect(results.digest.pid).toBe(results.rest.pid);
  });

  test('a folder that cannot be written costs the sharing, not the answer', async () => {
    await rename(spool, `${spool}.away`);
    const { results } = await run(pair, { digest: { ms: 50 }, rest: { ms: 50 } });
    await rename(`${spool}.away`, spool);
    expect(results.digest.pid).toBe(results.rest.pid);
  });
});

describe('a frame', () => {
  const frame = () => ({ kind: 'frame', path: join(dir, 'frame'), width: 640, height: 480 }) as const;
  beforeAll(async () => writeFile(frame().path, await sharp(photo).raw().toBuffer()));

  test('is shared as it is: both see the same pixels as one would, and no file is written', async () => {
    const runner = await startedAside({ sharing: { dir: spool, maxBytes: 0 } });
    const calls = { digest: { ms: 300 }, rest: { ms: 300 } };
    const apart = await run(runner, calls, undefined, frame());
    expect(new Set([apart.results.digest.pid, apart.results.rest.pid]).size).toBe(2);
    expect(apart.image).toEqual({ kind: 'frame', width: 640, height: 480 });

    const alone = await run(await startedAside({ processes: 1 }), calls, undefined, frame());
    expect(apart.results.digest.sha256).toBe(alone.results.digest.sha256);
    const turned = await run(runner, { rest: { ms: 300 }, digest: { ms: 1 } }, undefined, frame());
    expect(turned.results.digest.sha256).toBe(alone.results.digest.sha256);
  });

  test('that cannot be read fails the job once, and both processes serve the next', async () => {
    const calls = { digest: { ms: 50 }, rest: { ms: 50 } };
    const cut = { ...frame(), height: 481 };
    expect(await outcomeOf(run(pair, calls, undefined, cut))).toBe('image-corrupt');
    await expect.poll(() => states(pair)).toEqual(['idle', 'idle']);
    const { results } = await run(pair, calls, undefined, frame());
    expect(results.digest.width).toBe(640);
  });

  test.each([0, 50])('an abort after %i ms ends all parts', async (ms) => {
    const abort = new AbortController();
    const calls = { rest: { ms: 600_000 }, digest: { ms: 600_000 } };
    const job = outcomeOf(run(pair, calls, abort.signal, frame()));
    setTimeout(() => abort.abort(), ms);
    expect(await job).toBe('aborted');
    await expect.poll(() => states(pair)).toEqual(['idle', 'idle']);
  });
});

test('a waiting job comes before helping, and then one process does all', async () => {
  const jobs = Array.from({ length: 6 }, () => run(pair, { digest: { ms: 40 }, rest: { ms: 40 } }));
  const all = await Promise.all(jobs);
  const alone = all.filter(({ results }) => results.digest.pid === results.rest.pid);
  expect(alone.length).toBeGreaterThanOrEqual(4);
  expect(new Set(all.map(({ results }) => results.digest.sha256)).size).toBe(1);
  expect(await readdir(spool)).toEqual([]);
});

describe('a failure in one process fails the whole job once, and leaves nothing behind', () => {
  const expectClean = async (runner: ProcessRunner) => {
    expect(await readdir(spool)).toEqual([]);
    const taking = async () => {
      const { results } = await run(runner, { digest: { ms: 50 }, rest: { ms: 50 } });
      return new Set([results.digest.pid, results.rest.pid]).size;
    };
    await expect.poll(taking, { timeout: 120_000 }).toBe(2);
    expect(await readdir(spool)).toEqual([]);
  };

  test.each([
    ['the one that decoded', { crash: {}, rest: { ms: 600_000 } }],
    ['the one that helps', { rest: { ms: 600_000 }, crash: {} }],
  ] as const)('%s crashes', async (_which, calls) => {
    expect(await outcomeOf(run(pair, calls))).toBe('process-crashed');
    await expectClean(pair);
  });

  test.each([0, 1])('kill -9 of process %i during the job', async (index) => {
    const job = outcomeOf(run(pair, { rest: { ms: 600_000 }, digest: { ms: 600_000 } }));
    await expect.poll(() => states(pair), { timeout: 120_000 }).toEqual(['busy', 'busy']);
    expect(await readdir(spool)).toHaveLength(1);
    process.kill(pair.stats().processes[index]?.pid ?? 0, 'SIGKILL');
    expect(await job).toBe('process-crashed');
    await expectClean(pair);
  });

  test.each([
    ['first', { fault: {}, rest: { ms: 600_000 } }],
    ['second', { rest: { ms: 600_000 }, fault: {} }],
  ] as const)('a fault in the chain that is %s', async (_which, calls) => {
    expect(await outcomeOf(run(pair, calls))).toBe('internal');
    await expectClean(pair);
  });

  test('a chain that times out', async () => {
    const runner = await startedAside({ jobTimeoutMs: 5000 });
    expect(await outcomeOf(run(runner, { rest: { ms: 100 }, spin: { ms: 600_000 } }))).toBe('timeout');
    expect(runner.stats().timeouts).toBe(1);
    await expectClean(runner);
  });

  test.each([0, 5, 20, 300])('an abort after %i ms', async (ms) => {
    const { crashed } = pair.stats();
    const abort = new AbortController();
    const job = outcomeOf(run(pair, { rest: { ms: 600_000 }, digest: { ms: 600_000 } }, abort.signal));
    setTimeout(() => abort.abort(), ms);
    expect(await job).toBe('aborted');
    await expectClean(pair);
    expect(pair.stats().crashed).toBe(crashed);
  });
});

test('a start deletes the pixels of a service that was killed, and nothing else', async () => {
  await writeFile(join(spool, 'pixels-7000'), 'left');
  await writeFile(join(spool, 'body-7'), 'not ours');
  await startedAside({ processes: 1 });
  expect(await readdir(spool)).toEqual(['body-7']);
});

test('a drain waits for every part of a shared job', async () => {
  const job = run(pair, { rest: { ms: 100 }, digest: { ms: 400 } });
  expect(await pair.drain(10_000)).toBe(true);
  expect((await job).results.digest.width).toBe(640);
});
