import { expect, test } from 'vitest';
import { createFrameAllowance } from './frame-allowance.js';

const noon = Date.parse('2026-11-25T12:00:00Z');
const dayMs = 86_400_000;

/** An account with so many frames a day, and what it has reserved. */
function open(perDay: number) {
  const state = { now: noon, reserved: 0, asked: 0, isAway: false };
  const allowance = createFrameAllowance({
    accountId: 1,
    hasLimit: Number.isFinite(perDay),
    clock: () => state.now,
    quota: {
      async reserve(_accountId, frames) {
        state.asked += 1;
        if (state.isAway) throw new Error('away');
        const allowed = Math.min(frames, perDay - state.reserved);
        state.reserved += allowed;
        return allowed;
      },
      async giveBack(_accountId, frames) {
        state.reserved -= frames;
      },
    },
  });
  const take = async (frames: number) => {
    let taken = 0;
    for (let frame = 0; frame < frames; frame++) if (await allowance.take()) taken += 1;
    return taken;
  };
  return { state, allowance, take };
}

test('frames are counted in blocks, and what is not used is given back', async () => {
  const { state, allowance, take } = open(1000);
  expect(await take(250)).toBe(250);
  expect(state).toMatchObject({ asked: 3, reserved: 300 });
  await allowance.close();
  expect(state.reserved).toBe(250);
});

test('a quota that is used up allows nothing until the next day', async () => {
  const { state, allowance, take } = open(130);
  expect(await take(200)).toBe(130);
  expect(allowance.isUsedUp).toBe(true);
  state.now += dayMs;
  state.reserved = 0;
  expect(allowance.isUsedUp).toBe(false);
  expect(await take(200)).toBe(130);
});

test('a database that is away stops nothing where there is no limit, and is updated later', async () => {
  const { state, take } = open(Number.POSITIVE_INFINITY);
  state.isAway = true;
  expect(await take(20)).toBe(20);
  state.isAway = false;
  await new Promise((resolve) => setTimeout(resolve, 1100));
  expect(await take(1)).toBe(1);
  expect(state.reserved).toBe(120);
});

test('a database that is away allows no frame where there is a limit', async () => {
  const { state, allowance, take } = open(1000);
  state.isAway = true;
  expect([await take(5), allowance.isUsedUp]).toEqual([0, false]);
});
