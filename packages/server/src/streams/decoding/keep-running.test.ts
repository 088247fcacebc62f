import { expect, test } from 'vitest';
import { StreamFailure } from '../sources/stream-source.js';
import { keepRunning, type RunEnd } from './keep-running.js';

const failure = new StreamFailure('unreachable', 'gone');

async function delaysOf(ends: readonly (RunEnd | Error)[]): Promise<number[]> {
  const delays: number[] = [];
  let runs = 0;
  await new Promise<void>((resolve) => {
    const kept = keepRunning({
      async run(signal) {
        const end = ends[runs];
        runs += 1;
        if (end instanceof Error) throw end;
        if (end !== undefined) return end;
        resolve();
        if (!signal.aborted) await new Promise((done) => signal.addEventListener('abort', done));
        return { failure: null, steadyMs: 0 };
      },
      onAway: (_failure, retryAtMs) => delays.push(retryAtMs),
      firstRetryMs: 4,
      maxRetryMs: 16,
      clock: () => 0,
    });
    cleanUp.push(() => kept.close());
  });
  for (const each of cleanUp.splice(0)) await each();
  return delays;
}
const cleanUp: (() => Promise<void>)[] = [];

test('pauses double up to the longest, and begin anew after a minute without failure', async () => {
  const failed = { failure, steadyMs: 0 };
  const ends = [
    failed,
    new Error('odd'),
    failed,
    failed,
    failed,
    { failure, steadyMs: 60_000 },
    { failure: null, steadyMs: 0 },
  ];
  const delays = await delaysOf(ends);
  const nominal = [4, 8, 16, 16, 16, 4];
  expect(delays).toHaveLength(nominal.length);
  for (const [index, delay] of delays.entries()) {
    expect(delay).toBeGreaterThanOrEqual(Math.floor((nominal[index] ?? 0) * 0.8));
    expect(delay).toBeLessThanOrEqual(Math.ceil((nominal[index] ?? 0) * 1.2));
  }
});

test('a source that begins again and again has pauses too, but for the first time', async () => {
  const short = { failure: null, steadyMs: 1000 };
  const delays = await delaysOf([short, short, short, { failure: null, steadyMs: 10_000 }, short]);
  expect(delays).toHaveLength(2);
});

test('close ends the present run and a pause, and nothing is started afterwards', async () => {
  let runs = 0;
  const kept = keepRunning({
    async run() {
      runs += 1;
      return { failure, steadyMs: 0 };
    },
    onAway: () => undefined,
    firstRetryMs: 3_600_000,
    maxRetryMs: 3_600_000,
    clock: () => 0,
  });
  await expect.poll(() => kept.restarts).toBe(1);
  await kept.close();
  expect(runs).toBe(1);
});
