import { describe, expect, test } from 'vitest';
import { createFairSemaphore } from '../../../core/fair-semaphore.js';
import { createPasswordHashes } from './hash-passwords.js';

const limits = { permits: 2, maxPerAccount: 2, maxWaiting: 10, refusal: 'too many' };

/** Turns of which each ends when it is let go, in the order of their beginning. */
function openSemaphore() {
  const withPermit = createFairSemaphore(limits);
  const begun: string[] = [];
  const held: (() => void)[] = [];
  return {
    begun,
    take: (name: string, accountId: number | null) =>
      withPermit({ accountId }, () => {
        begun.push(name);
        return new Promise<void>((resolve) => held.push(resolve));
      }),
    /** One ends, and whoever is next begins. */
    async endOne() {
      held.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

describe('turns of work on passwords', () => {
  test('come to strangers, and to other accounts, however many of one account wait', async () => {
    const { begun, take, endOne } = openSemaphore();
    const all = Array.from({ length: 6 }, (_, index) => take(`tenant ${index}`, 1));
    all.push(take('stranger', null), take('user', 2));
    // The first two begin.
    await endOne();
    for (let ended = 0; ended < 3; ended += 1) await endOne();
    expect(begun.slice(2)).toHaveLength(3);
    expect(begun.slice(2)).toEqual(expect.arrayContaining(['stranger', 'user']));
    for (let ended = 0; ended < 5; ended += 1) await endOne();
    await Promise.all(all);
    expect(begun).toHaveLength(8);
  });

  test('are refused to who has most of them waiting, and to nobody else', async () => {
    const { take, endOne } = openSemaphore();
    const flood = Array.from({ length: 12 }, () => take('flood', 1));
    const ended = Promise.allSettled(flood);
    const others = [take('stranger', null), take('user', 2)];
    await expect(take('one more', 1)).rejects.toMatchObject({ code: 'service_busy', message: 'too many' });
    for (let round = 0; round < 14; round += 1) await endOne();
    await Promise.all(others);
    const refused = (await ended).filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(2);
  });

  test('go on after work that failed', async () => {
    const withPermit = createFairSemaphore({ ...limits, permits: 1 });
    const failing = withPermit({ accountId: 1 }, () => Promise.reject(new Error('no')));
    const next = withPermit({ accountId: 1 }, async () => 'yes');
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('yes');
  });

  test('of hashes come to a stranger while one account checks passwords without end', async () => {
    const hashes = await createPasswordHashes({ concurrency: 1, maxWaiting: 20 });
    const stored = await hashes.make('a password');
    let [isOver, checked] = [false, 0];
    const flood = Array.from({ length: 8 }, async () => {
      for (; !isOver; checked += 1) await hashes.check('a password', stored, { accountId: 1 });
    });
    const between: number[] = [];
    for (let asked = 0; asked < 9; asked += 1) {
      const before = checked;
      expect(await hashes.check('a password', stored)).toBe(true);
      between.push(checked - before);
    }
    isOver = true;
    await Promise.all(flood);
    // Turns are by time: where a busy machine held one of the stranger's checks up, the next waits longer.
    expect(between.sort((a, b) => a - b)[4]).toBeLessThanOrEqual(3);
  });
});
