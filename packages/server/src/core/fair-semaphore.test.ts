import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { createFairSemaphore } from './fair-semaphore.js';

const { signal } = new AbortController();
const refusal = 'too many uploads are waiting; try again shortly';
const by = (accountId: number) => ({ accountId, signal });

/** Work that goes on until it is ended, with the names of what was begun. */
function openWork() {
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const work = (name: string) => () => {
    begun.push(name);
    return new Promise<string>((resolve) => ends.push(() => resolve(name)));
  };
  const endNext = async () => {
    ends.shift()?.();
    // The next one begins in a microtask or a few.
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { begun, work, endNext };
}

test('accounts take turns, however many of one of them wait', async () => {
  const take = createFairSemaphore({ permits: 1, maxWaiting: 1000, refusal });
  const { begun, work, endNext } = openWork();
  const all = Array.from({ length: 200 }, (_, index) => take(by(1), work(`one ${index}`)));
  all.push(take(by(2), work('two')));
  for (let ended = 0; ended < 3; ended += 1) await endNext();
  expect(begun.indexOf('two')).toBeLessThan(3);
  while (begun.length < 201) await endNext();
  await endNext();
  expect(await Promise.all(all)).toHaveLength(201);
});

test('as many at once as there are permits, and a permit is free again after a failure', async () => {
  const take = createFairSemaphore({ permits: 2, maxWaiting: 10, refusal });
  const { begun, work } = openWork();
  const failing = take(by(1), () => Promise.reject(new Error('no good')));
  const waiting = ['a', 'b', 'c'].map((name, index) => take(by(1 + index), work(name)));
  await expect(failing).rejects.toThrow('no good');
  await new Promise((resolve) => setImmediate(resolve));
  expect(begun).toEqual(['b', 'c']);
  expect(waiting).toHaveLength(3);
});

test('above the limit of waiting requests the account with most is refused, and an aborted request leaves at once', async () => {
  const take = createFairSemaphore({ permits: 1, maxWaiting: 3, refusal });
  const { begun, work, endNext } = openWork();
  const outcomes = ['a', 'b', 'c', 'd'].map((name) =>
    take(by(1), work(name)).catch((error: Error) => error.message),
  );
  await expect(take(by(1), work('e'))).rejects.toMatchObject({ code: 'service_busy' });
  const abortController = new AbortController();
  const other = take({ accountId: 2, signal: abortController.signal }, work('other'));
  expect(await outcomes[3]).toBe(refusal);
  abortController.abort(new Error('gone'));
  await expect(other).rejects.toMatchObject({ code: 'service_busy' });
  await endNext();
  expect(begun).toEqual(['a', 'b']);
});

test('an account has half of the permits at most, so that another one begins at once beside its long work', async () => {
  const take = createFairSemaphore({ permits: 5, maxWaiting: 10, refusal });
  const { begun, work } = openWork();
  const all = ['a', 'b', 'c', 'd'].map((name) => take(by(1), work(name)));
  all.push(take(by(2), work('other')));
  await new Promise((resolve) => setImmediate(resolve));
  expect(begun).toEqual(['a', 'b', 'other']);
  expect(all).toHaveLength(5);
});

test('beside another account one has fewer permits, until the other has not asked for a while', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const take = createFairSemaphore({ permits: 8, maxBesideOthers: 1, maxWaiting: 10, refusal });
    const { begun, work, endNext } = openWork();
    const all = [take(by(2), work('other')), ...['a', 'b'].map((name) => take(by(1), work(name)))];
    await endNext();
    expect(begun).toEqual(['other', 'a']);
    vi.advanceTimersByTime(10_000);
    all.push(...['c', 'd'].map((name) => take(by(1), work(name))));
    await new Promise((resolve) => setImmediate(resolve));
    expect(begun).toEqual(['other', 'a', 'b', 'c', 'd']);
    expect(all).toHaveLength(5);
  } finally {
    vi.useRealTimers();
  }
});

const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('come' as const), account: fc.integer({ min: 1, max: 4 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('end' as const), at: fc.nat(7) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('give up' as const), at: fc.nat(7) }) },
);

test('for any order of arrivals, ends and aborts: never too many permits, none idle while others wait, and fair order', () =>
  fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 6 }),
      fc.array(step, { maxLength: 50 }),
      async (permits, steps) => {
        const perAccount = Math.max(1, Math.floor(permits / 2));
        const take = createFairSemaphore({ permits, maxWaiting: 100, refusal });
        type Work = { readonly account: number; readonly abortController: AbortController; end(): void };
        let waiting: readonly Work[] = [];
        let running: readonly Work[] = [];
        const passedBy = new Map<number, readonly number[]>();
        const runningOf = (account: number) => running.filter((work) => work.account === account).length;
        const begin = (work: Work) => {
          for (const account of new Set(waiting.map((other) => other.account))) {
            if (account === work.account || runningOf(account) >= perAccount) passedBy.delete(account);
            else {
              expect(passedBy.get(account) ?? []).not.toContain(work.account);
              passedBy.set(account, [...(passedBy.get(account) ?? []), work.account]);
            }
          }
          waiting = waiting.filter((other) => other !== work);
          running = [...running, work];
        };
        for (const each of steps) {
          if (each.kind === 'come') {
            let end = () => {};
            const ended = new Promise<void>((resolve) => {
              end = resolve;
            });
            const work = { account: each.account, abortController: new AbortController(), end };
            waiting = [...waiting, work];
            take({ accountId: work.account, signal: work.abortController.signal }, () => {
              begin(work);
              return ended;
            }).catch(() => undefined);
          } else if (each.kind === 'end') {
            const work = running[each.at];
            running = running.filter((other) => other !== work);
            work?.end();
          } else {
            const work = waiting[each.at];
            waiting = waiting.filter((other) => other !== work);
            work?.abortController.abort();
            for (const account of passedBy.keys()) {
              if (!waiting.some((other) => other.account === account)) passedBy.delete(account);
            }
          }
          await new Promise((resolve) => setImmediate(resolve));
          expect(running.length).toBeLessThanOrEqual(permits);
          for (const { account } of running) expect(runningOf(account)).toBeLessThanOrEqual(perAccount);
          // A free permit is for accounts that are below their share alone.
          if (running.length < permits) {
            for (const { account } of waiting) expect(runningOf(account)).toBe(perAccount);
          }
        }
      },
    ),
    { numRuns: 300 },
  ));
