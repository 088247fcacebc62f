import { describe, expect, test, vi } from 'vitest';
import { createLimiter } from '../../../service/limits/limiter.js';
import { useTwoStorages } from '../../../storage/fixtures/two-storages.js';
import { createSignInQueue } from './sign-in-queue.js';

const never = new AbortController().signal;
const limits = { free: 3, intervalMs: 40, maxWaitMs: 60_000, maxWaiting: 5, maxWaitingInAll: 20 };
const storages = useTwoStorages();
let queues = 0;
/** With buckets of its own. */
function open(ofTest: typeof limits, kind = `queue ${++queues}`, storage = storages()[0]) {
  const deps = { database: storage.database, clock: Date.now };
  return createSignInQueue({ ...ofTest, kind }, { ...deps, limiter: createLimiter(deps) });
}
const spend = async (queue: ReturnType<typeof createSignInQueue>, name: string) => {
  for (let round = 0; round < limits.free; round += 1) await queue.enter(name, `free ${round}`, never);
};

describe('a queue of attempts', () => {
  test('lets some by at once, then in the order of their coming', async () => {
    const queue = open(limits);
    await spend(queue, 'ada');
    const order: number[] = [];
    await Promise.all(
      [1, 2, 3].map(async (one) => {
        await queue.enter('ada', `site ${one}`, never);
        order.push(one);
      }),
    );
    expect(order).toEqual([1, 2, 3]);
  });

  test('has a turn within some for whoever waits, however fast others come again', async () => {
    const queue = open(limits);
    await spend(queue, 'ada');
    let [rounds, isOver] = [0, false];
    const poll = async (poller: number) => {
      for (let time = 0; !isOver; time += 1) {
        await queue.enter('ada', `poller ${poller} ${time}`, never);
        rounds += 1;
      }
    };
    const pollers = [poll(1), poll(2)];
    const before = rounds;
    await queue.enter('ada', 'victim', never);
    expect(rounds - before).toBeLessThanOrEqual(3);
    isOver = true;
    await Promise.all(pollers);
  });

  test('has one slot for a site, and a newcomer takes one by chance where it is full', async () => {
    const queue = open({ ...limits, intervalMs: 60_000 });
    await spend(queue, 'ada');
    const settled: string[] = [];
    const enter = (site: string) =>
      queue.enter('ada', site, never).catch(({ code }) => settled.push(`${site} ${code}`));
    const all = ['a', 'b', 'c', 'd', 'e'].map(enter);
    await expect(queue.enter('ada', 'a', never)).rejects.toMatchObject({ code: 'too_many_requests' });
    all.push(enter('f'));
    await Promise.race(all);
    expect(settled).toHaveLength(1);
    expect(settled[0]).toMatch(/^[a-e] too_many_requests$/);
    queue.close();
    await Promise.all(all);
    expect(settled).toHaveLength(6);
    await expect(queue.enter('ada', 'g', never)).rejects.toMatchObject({ code: 'too_many_requests' });
  });

  test('of one name is open while all slots are taken by requests for others', async () => {
    const queue = open({ ...limits, intervalMs: 60_000 });
    const settled: string[] = [];
    const all: Promise<unknown>[] = [];
    const enter = (name: string, site: string) =>
      all.push(queue.enter(name, site, new AbortController().signal).catch(() => settled.push(name)));
    for (const name of ['a', 'b', 'c', 'd', 'ada']) await spend(queue, name);
    for (const name of ['a', 'b', 'c', 'd']) for (let site = 0; site < 5; site += 1) enter(name, `${site}`);
    enter('ada', 'hers');
    await vi.waitFor(() => expect(settled).toEqual([expect.stringMatching(/^[a-d]$/)]), { timeout: 60_000 });
    enter('b', 'one more');
    await vi.waitFor(() => expect(settled).toHaveLength(2), { timeout: 60_000 });
    expect(settled).not.toContain('ada');
    queue.close();
    await Promise.all(all);
  });

  test('refuses after the longest wait, and whoever leaves has no turn', async () => {
    const queue = open({ ...limits, intervalMs: 60_000, maxWaitMs: 30 });
    await spend(queue, 'ada');
    await expect(queue.enter('ada', 'a', never)).rejects.toMatchObject({
      code: 'too_many_requests',
      retryAfterSeconds: 60,
    });
    const leaving = new AbortController();
    const left = queue.enter('ada', 'a', leaving.signal);
    leaving.abort(new Error('left'));
    await expect(left).rejects.toThrow('left');
    // Others are not affected.
    await spend(queue, 'grace');
  });

  test('lets by on two services together what one would, and both have turns', async () => {
    const ofTest = { ...limits, intervalMs: 100 };
    const both = storages().map((storage) => open(ofTest, 'two queues', storage));
    const begun = Date.now();
    const turns = [0, 0];
    let isOver = false;
    const poll = async (service: number) => {
      for (let time = 0; !isOver; time += 1) {
        await both[service]?.enter('ada', `${service} ${time}`, never);
        turns[service] = (turns[service] ?? 0) + 1;
      }
    };
    const pollers = [poll(0), poll(1)];
    await vi.waitFor(() => expect(Math.min(...turns)).toBeGreaterThanOrEqual(5), { timeout: 60_000 });
    const [first = 0, second = 0] = turns;
    expect(first + second).toBeLessThanOrEqual(
      limits.free + Math.ceil((Date.now() - begun) / ofTest.intervalMs),
    );
    isOver = true;
    await Promise.all(pollers);
  });
});
