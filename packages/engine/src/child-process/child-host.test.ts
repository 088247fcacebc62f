import { readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { ChildHost, type ChildLimits, type ChildOptions, type ReachedLimit } from './child-host.js';
import { findDeathGuard } from './death-guard.js';
import type { ChildOrder, ChildReport } from './fixtures/test-child.js';

const started: ChildHost[] = [];
function startChild(options: Partial<ChildOptions> = {}): ChildHost {
  const child = new ChildHost({
    entry: new URL('./fixtures/test-child.js', import.meta.url),
    output: 'ignore',
    niceness: 1,
    onMessage: () => undefined,
    ...options,
  });
  started.push(child);
  return child;
}
afterEach(async () => {
  for (const child of started) child.kill();
  await Promise.all(started.splice(0).map(({ exited }) => exited));
});

const waitAtMost = { timeout: 20_000 };
const isLinux = process.platform === 'linux';

describe('a child process', () => {
  test.runIf(isLinux)('has the given priorities, and none of our secrets', async () => {
    process.env['LYNCEUS_FIRST_KEY'] = 'secret';
    const report = await new Promise<ChildReport>((resolve) => {
      const child = startChild({
        niceness: 7,
        oomScoreAdj: 900,
        onMessage: (message) => resolve(message as ChildReport),
      });
      child.send({ order: 'report' });
    }).finally(() => delete process.env['LYNCEUS_FIRST_KEY']);
    expect(report).toMatchObject({ priority: Math.max(7, getPriority()), oomScoreAdj: '900' });
    expect(report.environment).not.toContain('LYNCEUS_FIRST_KEY');
    expect(report.environment).toContain('ORT_DISABLE_TELEMETRY');
  });

  test('exits when its channel is closed', async () => {
    const child = startChild();
    child.disconnect();
    expect(await child.exited).toEqual({ cause: 'exit code 0', wasStarted: true, wasAborted: false });
    child.send({ order: 'report' });
  });

  test('that crashes is reported with its signal', async () => {
    expect(await exitOf('crash')).toEqual({ cause: 'signal SIGSEGV', wasStarted: true, wasAborted: false });
  });

  test('that throws is reported with its exit code', async () => {
    expect(await exitOf('fault')).toMatchObject({ cause: 'exit code 1', wasAborted: false });
  });

  test('that outgrows its heap is reported as aborted', async () => {
    expect(await exitOf('outgrow heap', ['--max-old-space-size=32'])).toMatchObject({ wasAborted: true });
  });

  test('that cannot be started is reported with the reason', async () => {
    const child = startChild({ cwd: '/no/such/folder' });
    const { cause, wasStarted } = await child.exited;
    expect(wasStarted).toBe(false);
    expect(cause).toContain('ENOENT');
  });

  test('without a guard is not paused', () => {
    expect(startChild().pause()).toBe(false);
  });

  test.runIf(isLinux)('with a guard is paused and goes on', async () => {
    const reports: unknown[] = [];
    const child = startChild({ guard: await findDeathGuard(), onMessage: (report) => reports.push(report) });
    child.send({ order: 'report' });
    await vi.waitFor(() => expect(reports).toHaveLength(1), waitAtMost);
    expect(child.pause()).toBe(true);
    child.send({ order: 'report' });
    await vi.waitFor(() => expect(stateOf(child.pid)).toBe('T'), waitAtMost);
    expect(reports).toHaveLength(1);
    child.resume();
    await vi.waitFor(() => expect(reports).toHaveLength(2), waitAtMost);
  });

  test.runIf(isLinux)('that is paused can be killed', async () => {
    const child = startChild({ guard: await findDeathGuard() });
    child.pause();
    child.kill();
    expect((await child.exited).cause).toBe('signal SIGKILL');
  });

  /** `T`: it is stopped; proc(5). */
  function stateOf(pid: number | undefined): string | undefined {
    return /^State:\s(\w)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
  }

  function exitOf(order: ChildOrder, execArgv: readonly string[] = []) {
    const child = startChild({ execArgv });
    child.send({ order });
    return child.exited;
  }
});

describe('a child process is killed', () => {
  test.runIf(isLinux)('above its limit of memory', async () => {
    const maxRssBytes = 300 * 2 ** 20;
    const reached = await limitOf('grow', { maxRssBytes, timeoutMs: 60_000 });
    expect(reached).toEqual([{ limit: 'memory', rssBytes: expect.any(Number) }]);
  });

  test('after its time, even one that holds its thread', async () => {
    expect(await limitOf('spin', { timeoutMs: 500, maxRssBytes: 2 ** 40 })).toEqual([{ limit: 'time' }]);
  });

  test.runIf(isLinux)('above its limit of processor time, and one that only waits is not', async () => {
    const waiting = startChild();
    waiting.watch({ maxCpuMs: 5000 }, () => expect.unreachable());
    expect(await limitOf('spin', { maxCpuMs: 300, timeoutMs: 60_000 })).toEqual([{ limit: 'cpu' }]);
    waiting.disconnect();
    expect((await waiting.exited).cause).toBe('exit code 0');
  });

  test('when the signal fires', async () => {
    const cancel = new AbortController();
    setTimeout(() => cancel.abort(), 200);
    expect(await limitOf('spin', { signal: cancel.signal })).toEqual([{ limit: 'abort' }]);
  });

  async function limitOf(order: ChildOrder, limits: ChildLimits): Promise<readonly ReachedLimit[]> {
    const child = startChild();
    const reached: ReachedLimit[] = [];
    child.watch(limits, (by) => reached.push(by));
    child.send({ order });
    expect((await child.exited).cause).toBe('signal SIGKILL');
    return reached;
  }
});

test('a limit that is no longer watched does not kill', async () => {
  const child = startChild();
  const cancel = new AbortController();
  const stop = child.watch({ signal: cancel.signal, timeoutMs: 50 }, () => expect.unreachable());
  stop();
  cancel.abort();
  child.disconnect();
  expect((await child.exited).cause).toBe('exit code 0');
});
