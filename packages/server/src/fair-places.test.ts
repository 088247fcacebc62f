import { expect, test } from 'vitest';
import { createFairPlaces } from './fair-places.js';

const { signal } = new AbortController();
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
  const take = createFairPlaces({ places: 1, maxWaiting: 1000, things: 'uploads' });
  const { begun, work, endNext } = openWork();
  const all = Array.from({ length: 200 }, (_, index) => take(by(1), work(`one ${index}`)));
  all.push(take(by(2), work('two')));
  for (let ended = 0; ended < 3; ended += 1) await endNext();
  expect(begun.indexOf('two')).toBeLessThan(3);
  while (begun.length < 201) await endNext();
  await endNext();
  expect(await Promise.all(all)).toHaveLength(201);
});

test('as many at once as there are places, and a place is free again after a failure', async () => {
  const take = createFairPlaces({ places: 2, maxWaiting: 10, things: 'uploads' });
  const { begun, work } = openWork();
  const failing = take(by(1), () => Promise.reject(new Error('no good')));
  const waiting = ['a', 'b', 'c'].map((name) => take(by(1), work(name)));
  await expect(failing).rejects.toThrow('no good');
  await new Promise((resolve) => setImmediate(resolve));
  expect(begun).toEqual(['a', 'b']);
  expect(waiting).toHaveLength(3);
});

test('above what may wait the account with most is refused, and whoever gives up leaves at once', async () => {
  const take = createFairPlaces({ places: 1, maxWaiting: 3, things: 'uploads' });
  const { begun, work, endNext } = openWork();
  const outcomes = ['a', 'b', 'c', 'd'].map((name) =>
    take(by(1), work(name)).catch((error: Error) => error.message),
  );
  await expect(take(by(1), work('e'))).rejects.toMatchObject({ code: 'service_busy' });
  const giveUp = new AbortController();
  const other = take({ accountId: 2, signal: giveUp.signal }, work('other'));
  expect(await outcomes[3]).toBe('too many uploads are waiting; try again shortly');
  giveUp.abort(new Error('gone'));
  await expect(other).rejects.toMatchObject({ code: 'service_busy' });
  await endNext();
  expect(begun).toEqual(['a', 'b']);
});
