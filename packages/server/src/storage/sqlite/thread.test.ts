import { afterEach, describe, expect, test } from 'vitest';
import { type DatabaseThread, startDatabaseThread } from './thread.js';

/** A thread that speaks the protocol, and ends itself when a unit says so. */
function entryThat(onBatch: string): URL {
  const source = `
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', (message) => {
      if (message === 'close') return parentPort.close();
      ${onBatch}
      parentPort.postMessage({ kind: 'done', outcomes: message.map(() => [{ rows: [], changes: message.length }]) });
    });
    parentPort.postMessage({ kind: 'open' });`;
  return new URL(`data:text/javascript,${encodeURIComponent(source)}`);
}

const diesOnDie = `if (message.some((unit) => unit[0][0] === 'die')) throw new Error('a fault');`;
const die = [['die', []]] as const;
const live = [['live', []]] as const;

describe('a database thread', () => {
  let thread: DatabaseThread;
  afterEach(() => thread.close());
  const start = (onBatch: string, maxWaiting = 100) =>
    startDatabaseThread({
      entry: entryThat(onBatch),
      name: 'tested',
      data: { path: '', busyTimeoutMs: 0 },
      maxBatch: 4,
      maxWaiting,
    });

  test('that is lost rejects what it held and is replaced', async () => {
    thread = await start(diesOnDie);
    await expect(thread.submit(die)).rejects.toMatchObject({ code: 'lost' });
    await expect(thread.submit(live)).resolves.toHaveLength(1);
    expect(thread.isReady()).toBe(true);
  });

  test('keeps what waited behind a lost batch', async () => {
    thread = await start(diesOnDie);
    const first = thread.submit(die);
    await new Promise((resolve) => setImmediate(resolve));
    const second = thread.submit(live);
    await expect(first).rejects.toMatchObject({ code: 'lost' });
    await expect(second).resolves.toHaveLength(1);
  });

  test('that is lost again and again stays down and says so', async () => {
    thread = await start(diesOnDie);
    for (let loss = 0; loss < 4; loss += 1)
      await expect(thread.submit(die)).rejects.toMatchObject({ code: 'lost' });
    expect(thread.isReady()).toMatch(/repeatedly: a fault/);
    await expect(thread.submit(live)).rejects.toMatchObject({ code: 'lost' });
  });

  test('never takes more than a batch at once, and refuses what it cannot keep waiting', async () => {
    thread = await start('', 10);
    const units = Array.from({ length: 14 }, () => thread.submit(live));
    const outcomes = await Promise.allSettled(units);
    const sizes = outcomes.map((outcome) =>
      outcome.status === 'fulfilled' ? outcome.value[0]?.changes : 'refused',
    );
    expect(sizes).toEqual([4, 4, 4, 4, 4, 4, 4, 4, 2, 2, 'refused', 'refused', 'refused', 'refused']);
  });

  test('that cannot open says why', async () => {
    thread = await start('');
    const failing = startDatabaseThread({
      entry: new URL('./writer.js', import.meta.url),
      name: 'failing',
      data: { path: '/nowhere/at/all.db', busyTimeoutMs: 0 },
      maxBatch: 1,
      maxWaiting: 1,
    });
    await expect(failing).rejects.toThrow(/cannot be opened/);
  });
});
