import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { outcomeOf, pixel, runTask, testRunner } from './fixtures/test-tasks.js';
import type { Priority } from './priority.js';
import type { ProcessRunner, ProcessRunnerOptions } from './process-runner.js';

const runners: ProcessRunner[] = [];
async function started(options: Partial<ProcessRunnerOptions> = {}): Promise<ProcessRunner> {
  const runner = testRunner(options);
  runners.push(runner);
  await runner.start();
  return runner;
}
afterEach(() => Promise.all(runners.splice(0).map((runner) => runner.close())));

const states = (runner: ProcessRunner) => runner.stats().processes.map(({ state }) => state);
const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('the queue', () => {
  test('a user comes before a stream, that before a queue of files, and that before a training run', async () => {
    const runner = await started();
    const order: string[] = [];
    const run = (name: string, priority: Priority) =>
      runTask(runner, 'rest', { ms: 10 }, { priority }).then(() => order.push(name));
    const jobs = [run('first', 'background')];
    jobs.push(run('training', 'background'), run('file 1', 'batch'), run('file 2', 'batch'));
    jobs.push(run('frame', 'stream'));
    jobs.push(run('person 1', 'interactive'), run('person 2', 'interactive'));
    await Promise.all(jobs);
    expect(order).toEqual(['first', 'person 1', 'person 2', 'frame', 'file 1', 'file 2', 'training']);
  });

  test('a full queue answers busy at once, and only to the surplus', async () => {
    const runner = await started({ queueMax: 3 });
    const outcomes = Array.from({ length: 8 }, () => outcomeOf(runTask(runner, 'rest', { ms: 20 })));
    expect(runner.stats().queued.interactive).toBe(3);
    expect(await Promise.all(outcomes)).toEqual([...Array(4).fill('done'), ...Array(4).fill('busy')]);
  });

  test('a job of a user displaces a waiting file when the queue is full', async () => {
    const runner = await started({ queueMax: 2 });
    const batch = { priority: 'batch' } as const;
    const files = [1, 2, 3].map(() => outcomeOf(runTask(runner, 'rest', { ms: 20 }, batch)));
    const person = outcomeOf(runTask(runner, 'rest', { ms: 1 }));
    expect(await Promise.all([...files, person])).toEqual(['done', 'done', 'busy', 'done']);
  });
});

// On Linux, and with a process for each core.
test.runIf(process.platform === 'linux' && availableParallelism() <= 8)(
  'a frame of a stream stands still while a request of a user runs',
  async () => {
    const processes = Math.max(2, availableParallelism());
    const runner = await started({ processes });
    await vi.waitFor(() => expect(states(runner)).not.toContain('starting'), { timeout: 20_000 });
    const frames = Array.from({ length: processes - 1 }, () =>
      runTask(runner, 'rest', { ms: 100 }, { priority: 'stream' }),
    );
    const request = runTask(runner, 'rest', { ms: 100 });
    const stopped = () =>
      runner
        .stats()
        .processes.filter(({ pid }) => /^State:\sT/m.test(readFileSync(`/proc/${pid}/status`, 'latin1')));
    await vi.waitFor(() => expect(stopped()).toHaveLength(1), { timeout: 5000, interval: 5 });
    await request;
    expect(stopped()).toEqual([]);
    const ended = await Promise.all(frames);
    expect(Math.max(...ended.map(({ endedAt }) => endedAt))).toBeGreaterThanOrEqual((await request).endedAt);
  },
);

describe('giving up', () => {
  test('a queued job leaves the queue at once', async () => {
    const runner = await started();
    const abort = new AbortController();
    const first = outcomeOf(runTask(runner, 'rest', { ms: 100 }));
    const second = outcomeOf(
      runTask(runner, 'rest', { ms: 100 }, { priority: 'batch', signal: abort.signal }),
    );
    expect(runner.stats().queued.batch).toBe(1);
    abort.abort();
    expect(runner.stats().queued.batch).toBe(0);
    expect(await second).toBe('aborted');
    expect(await first).toBe('done');
  });

  test('a running job stops at its next step, and its process continues with the next', async () => {
    const runner = await started();
    const abort = new AbortController();
    // Longer than the test may take: it has to be stopped.
    const long = outcomeOf(
      runTask(runner, 'rest', { ms: 600_000 }, { priority: 'interactive', signal: abort.signal }),
    );
    setTimeout(() => abort.abort(), 50);
    expect(await long).toBe('aborted');
    const { pid } = await runTask(runner, 'rest', { ms: 1 });
    expect(runner.stats()).toMatchObject({ crashed: 0, processes: [{ pid }] });
  });

  test('a job that is aborted before costs nothing', async () => {
    const runner = await started();
    const job = runTask(runner, 'rest', { ms: 1 }, { priority: 'batch', signal: AbortSignal.abort() });
    expect(await outcomeOf(job)).toBe('aborted');
    expect(runner.stats().processes[0]?.jobsDone).toBe(0);
  });
});

describe('stopping', () => {
  test('a drain finishes running and queued jobs, and refuses new ones', async () => {
    const runner = await started();
    const jobs = [1, 2, 3].map(() => outcomeOf(runTask(runner, 'rest', { ms: 50 })));
    const drained = runner.drain(10_000);
    expect(await outcomeOf(runTask(runner, 'rest', { ms: 1 }))).toBe('busy');
    expect(await drained).toBe(true);
    expect(await Promise.all(jobs)).toEqual(['done', 'done', 'done']);
  });

  test('a drain past its time says so, and closing leaves no process and no pending job behind', async () => {
    const runner = await started({ processes: 2 });
    const jobs = [1, 2, 3, 4].map(() => outcomeOf(runTask(runner, 'spin', { ms: 20_000 })));
    const pids = runner.stats().processes.map(({ pid }) => pid ?? 0);
    expect(await runner.drain(100)).toBe(false);
    await runner.close();
    const outcomes = await Promise.all(jobs);
    expect(outcomes.filter((outcome) => outcome === 'done')).toEqual([]);
    expect(pids.filter(isAlive)).toEqual([]);
  });

  test('closing while processes start leaves none behind', async () => {
    const runner = testRunner({ processes: 2 });
    const start = outcomeOf(runner.start());
    await vi.waitFor(() => expect(runner.stats().processes).toHaveLength(2), {
      timeout: 20_000,
      interval: 1,
    });
    const pids = runner.stats().processes.map(({ pid }) => pid ?? 0);
    await runner.close();
    expect(await start).toBe('busy');
    expect(pids.filter(isAlive)).toEqual([]);
  });

  test('closing at once starts none', async () => {
    const runner = testRunner({ processes: 2 });
    const start = outcomeOf(runner.start());
    await runner.close();
    expect(await start).toBe('busy');
    expect(runner.stats().processes).toEqual([]);
  });
});

describe('an inference process', () => {
  test('runs at a lower priority and without the secrets of the service', async () => {
    process.env['LYNCEUS_FIRST_KEY'] = 'secret';
    const runner = await started({ niceness: 7 });
    const { priority, environment } = await runTask(runner, 'look', {});
    expect(priority).toBeGreaterThanOrEqual(7);
    expect(environment).not.toContain('LYNCEUS_FIRST_KEY');
    delete process.env['LYNCEUS_FIRST_KEY'];
  });

  test("ignores a terminal's Ctrl-C and a manager's SIGTERM", async () => {
    const runner = await started();
    const job = runTask(runner, 'rest', { ms: 200 });
    const pid = runner.stats().processes[0]?.pid ?? 0;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(pid, signal);
    expect((await job).pid).toBe(pid);
  });

  test('a bug is logged, not reported to the caller, and costs no process', async () => {
    const notes: string[] = [];
    const runner = await started({
      onEvent: (event) => {
        if (event.type === 'fault') notes.push(event.detail);
      },
    });
    const error = await runTask(runner, 'fault', {}).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'internal', message: expect.not.stringContaining('secret') });
    expect(notes).toEqual([expect.stringContaining('secret details')]);
    expect(runner.stats().crashed).toBe(0);
  });

  test('a job that cannot be sent or understood fails by itself', async () => {
    const runner = await started();
    const odd = { limits: { maxPixels: 1 }, source: { kind: 'bytes', bytes: pixel } } as const;
    const outcomes = [
      runner.analyse(
        { ...odd, tasks: [{ task: 'rest', options: { f: () => {} } } as never] },
        { priority: 'batch' },
      ),
      runner.analyse(
        { ...odd, tasks: [{ task: 'constructor', options: {} } as never] },
        { priority: 'batch' },
      ),
      runner.analyse({ ...odd, tasks: [{ task: 'rest', options: 5 } as never] }, { priority: 'batch' }),
    ].map(outcomeOf);
    expect(await Promise.all(outcomes)).toEqual(['internal', 'internal', 'internal']);
    expect(await outcomeOf(runTask(runner, 'rest', { ms: 1 }))).toBe('done');
    expect(runner.stats().crashed).toBe(0);
  });
});
