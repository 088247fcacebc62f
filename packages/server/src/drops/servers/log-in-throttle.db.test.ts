import { expect, test } from 'vitest';
import { useTwoStorages } from '../../storage/fixtures/two-storages.js';
import { createLogInThrottle } from './log-in-throttle.js';

const limits = {
  maxPerConnection: 3,
  maxPerAddress: 4,
  forgetMs: 60_000,
  banMs: 600_000,
  firstDelayMs: 500,
  maxDelayMs: 1500,
};
const storages = useTwoStorages();

/** Two services on one database. */
function open(clock: () => number) {
  return storages().map(({ database }) => createLogInThrottle(limits, { database, clock }));
}
const wrong = async (throttle: ReturnType<typeof createLogInThrottle> | undefined, address: string) =>
  (await throttle?.begin(address))?.fail() ?? null;

test('an address with failed log-ins waits longer each time, is banned on all services, and is admitted after the ban', async () => {
  let now = 1000;
  const [one, two] = open(() => now);
  const address = '192.0.2.1';
  expect([await wrong(one, address), await wrong(two, address), await wrong(one, address)]).toEqual([
    { delayMs: 500, isBanned: false },
    { delayMs: 1000, isBanned: false },
    { delayMs: 1500, isBanned: false },
  ]);
  expect(await wrong(two, address)).toMatchObject({ isBanned: true });
  expect(two?.isKnownBanned('::ffff:192.0.2.1')).toBe(true);
  expect(await one?.begin(address)).toBeNull();
  expect(one?.isKnownBanned(address)).toBe(true);
  expect(await one?.begin('192.0.2.2')).not.toBeNull();
  now += 599_999;
  expect(await two?.begin(address)).toBeNull();
  now += 2;
  expect(await wrong(two, address)).toEqual({ delayMs: 500, isBanned: false });
});

test('old failures expire, and a success cancels one failure', async () => {
  let now = 1000;
  const [one, two] = open(() => now);
  const address = '192.0.2.10';
  await wrong(one, address);
  await wrong(two, address);
  await (await one?.begin(address))?.succeed();
  expect(await wrong(two, address)).toMatchObject({ delayMs: 1000 });
  now += 60_000;
  expect(await wrong(one, address)).toMatchObject({ delayMs: 500 });
});

test('of many log-ins at once on two services as many are looked at as are left, and no more', async () => {
  const both = open(() => 1000);
  let looked = 0;
  const guess = async (index: number) => {
    const attempt = await both[index % 2]?.begin('192.0.2.20');
    if (!attempt) return;
    looked += 1;
    await attempt.fail();
  };
  await Promise.all(Array.from({ length: 60 }, (_, index) => guess(index)));
  expect(looked).toBe(limits.maxPerAddress);
});

test('right log-ins at once, more than an address may fail, are all admitted', async () => {
  const both = open(() => 1000);
  const admitted = await Promise.all(
    Array.from({ length: 40 }, async (_, index) => {
      const attempt = await both[index % 2]?.begin('192.0.2.30');
      await attempt?.succeed();
      return attempt !== null;
    }),
  );
  expect(new Set(admitted)).toEqual(new Set([true]));
});

test('tries that a service left when it died hold nobody up for long', async () => {
  const [one, two] = open(() => 1000);
  for (let times = 0; times < limits.maxPerAddress; times += 1) await one?.begin('192.0.2.40');
  expect(await two?.begin('192.0.2.40')).not.toBeNull();
}, 30_000);
