import { expect, test } from 'vitest';
import { openFrameAllowance } from './frame-allowance.js';

const noon = Date.parse('2026-11-25T12:00:00Z');
const dayMs = 86_400_000;

/** An account with so many frames a day, and what is counted on each. */
function openQuota(perDay: number) {
  const state = { now: noon, counted: new Map<number, number>() };
  const today = () => Math.floor(state.now / dayMs);
  const add = (frames: number) => state.counted.set(today(), (state.counted.get(today()) ?? 0) + frames);
  const quota = {
    async reserve(_accountId: number, frames: number) {
      const allowed = Math.min(frames, perDay - (state.counted.get(today()) ?? 0));
      add(allowed);
      return allowed;
    },
    giveBack: async (_accountId: number, frames: number) => {
      add(-frames);
    },
    read: async () => ({ today: state.counted.get(today()) ?? 0, limitPerDay: perDay }),
  };
  return { state, quota, clock: () => state.now, counted: () => [...state.counted.values()] };
}

test('all frames of a video are counted ahead, and what is not used is given back', async () => {
  const { quota, clock, counted } = openQuota(1000);
  const allowance = await openFrameAllowance(quota, 1, 600, clock);
  expect(counted()).toEqual([600]);
  for (let frame = 0; frame < 250; frame += 1) await allowance.take();
  await allowance.close();
  await allowance.close();
  expect(counted()).toEqual([250]);
});

test('a video with more frames than are left does not begin, and none are counted', async () => {
  const { quota, clock, counted } = openQuota(500);
  await expect(openFrameAllowance(quota, 1, 501, clock)).rejects.toThrow(
    /needs 501 more frames.*500 of the account's 500 are left/,
  );
  expect(counted()).toEqual([0]);
});

test('frames that were counted yesterday are not taken from the count of today', async () => {
  const { state, quota, clock, counted } = openQuota(1000);
  const allowance = await openFrameAllowance(quota, 1, 600, clock);
  await allowance.take();
  state.now += dayMs;
  await quota.reserve(2, 900);
  await allowance.close();
  expect(counted()).toEqual([600, 900]);
});
