import { expect, test } from 'vitest';
import { useTwoStorages } from '../../storage/fixtures/two-storages.js';
import { type AttemptKind, createLimiter } from './limiter.js';
import { sweepThrottles } from './throttle-key.js';

const kind: AttemptKind = { kind: 'test', free: 3, firstWaitMs: 1000, maxWaitMs: 3000, forgetMs: 60_000 };
const storages = useTwoStorages();
let now = 1_000_000;
const clock = () => now;
const open = () => storages().map(({ database }) => createLimiter({ database, clock }));
const counter = (name: string) => ({ of: kind, name });

test('some are free, then each waits twice as long as the one before, on all services alike', async () => {
  const [one, two] = open();
  const begin = (attempts: typeof one) => attempts?.begin(counter('waits'));
  for (const attempts of [one, two, one]) await begin(attempts);
  await expect(begin(two)).rejects.toMatchObject({ code: 'too_many_requests', retryAfterSeconds: 1 });
  now += 1001;
  await begin(two);
  await expect(begin(one)).rejects.toMatchObject({ retryAfterSeconds: 2 });
  now += 2001;
  await begin(one);
  await expect(begin(two)).rejects.toMatchObject({ retryAfterSeconds: 3 });
  now += kind.forgetMs;
  for (const attempts of [one, two, one]) await begin(attempts);
});

test('a wait doubles up to the longest, which stays', async () => {
  const [limiter] = open();
  const long: AttemptKind = {
    kind: 'long',
    free: 2,
    firstWaitMs: 1000,
    maxWaitMs: 900_000,
    forgetMs: 3_600_000,
  };
  const waited: (number | undefined)[] = [];
  await limiter?.begin({ of: long, name: 'doubles' });
  for (let times = 2; times < 16; times += 1) {
    await limiter?.begin({ of: long, name: 'doubles' });
    const untilMs = (await limiter?.take({ of: long, name: 'doubles' })) ?? now;
    waited.push((untilMs - now) / 1000);
    now = untilMs;
  }
  await limiter?.forget({ of: long, name: 'doubles' });
  expect(waited).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900, 900]);
});

test('of many at once on two services as many are let by as are free', async () => {
  const both = open();
  const ended = await Promise.allSettled(
    Array.from({ length: 100 }, (_, index) => both[index % 2]?.begin(counter('parallel'))),
  );
  expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(kind.free);
});

test('counts on all of several or on none', async () => {
  const [one, two] = open();
  for (let times = 0; times < kind.free; times += 1) await one?.begin(counter('full'));
  for (let times = 0; times < 5; times += 1) {
    await expect(two?.begin(counter('other'), counter('full'))).rejects.toMatchObject({
      code: 'too_many_requests',
    });
  }
  for (let times = 0; times < kind.free; times += 1) await one?.begin(counter('other'));
});

test('what is given back or forgotten counts no more', async () => {
  const [one, two] = open();
  for (let times = 0; times < kind.free; times += 1) await one?.begin(counter('back'));
  await one?.giveBack(counter('back'));
  await two?.begin(counter('back'));
  await expect(one?.begin(counter('back'))).rejects.toMatchObject({ code: 'too_many_requests' });
  await two?.forget(counter('back'));
  now += 2001;
  for (let times = 0; times < kind.free; times += 1) await one?.begin(counter('back'));
});

test('a flood on what waits writes nothing', async () => {
  const [{ database }] = storages();
  let writes = 0;
  let units = 0;
  const counting = createLimiter({
    clock,
    database: {
      ...database,
      write(...unit) {
        writes += 1;
        return database.write(...unit);
      },
    },
  });
  for (; units < 500; units += 1) await counting.begin(counter('flood')).catch(() => undefined);
  expect(writes).toBe(kind.free);
});

test('buckets that two services take from together give as many tokens as there are', async () => {
  const both = open();
  const name = { of: { kind: 'tokens', free: 5, intervalMs: 1000 }, name: 'one name' };
  const takeAll = async () => {
    const taken = await Promise.all(Array.from({ length: 40 }, (_, index) => both[index % 2]?.take(name)));
    return taken.filter((nextAt) => nextAt === null).length;
  };
  expect(await takeAll()).toBe(5);
  expect(await both[0]?.take(name)).toBe(now + 1000);
  now += 2500;
  expect(await takeAll()).toBe(2);
  await both[1]?.giveBack(name);
  now += 2001;
  expect(await takeAll()).toBe(3);
  now += 100_000;
  expect(await takeAll()).toBe(5);
});

test('a turn that another service has is looked for without a write', async () => {
  const [{ database }, two] = storages();
  let writes = 0;
  const turn = { of: { kind: 'turns', free: 1, intervalMs: 1000 }, name: 'looked for' };
  const other = createLimiter({ database: two.database, clock });
  const looking = createLimiter({
    clock,
    database: {
      ...database,
      write(...unit) {
        writes += 1;
        return database.write(...unit);
      },
    },
  });
  expect([await looking.take(turn), await looking.take(turn)]).toEqual([null, now + 1000]);
  now += 1000;
  expect(await other.take(turn)).toBeNull();
  const before = writes;
  expect(await looking.take(turn)).toBe(now + 1000);
  expect(writes).toBe(before);
});

test('rows that say nothing any more are swept, others stay', async () => {
  const [{ database }] = storages();
  const [one] = open();
  now += 10 * kind.forgetMs;
  await one?.begin(counter('kept'));
  expect(await sweepThrottles(database, now)).toBeGreaterThan(0);
  const rows = await database.query.selectFrom('throttle').select('times').execute();
  expect(rows).toEqual([{ times: 1 }]);
});
