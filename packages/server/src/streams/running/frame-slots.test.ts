import { expect, test } from 'vitest';
import { createFrameSlots } from './frame-slots.js';

const never = new AbortController().signal;
const soon = () => new Promise((resolve) => setImmediate(resolve));

/** Takes so many slots; `held` gives them back, `count` returns how many were given. */
function takeAll(slots: ReturnType<typeof createFrameSlots>, wanted: number) {
  const held: (() => void)[] = [];
  for (let index = 0; index < wanted; index++) void slots.take(never).then((release) => held.push(release));
  return held;
}

test('each inference process has a frame, and the others wait', async () => {
  const held = takeAll(createFrameSlots({ processes: 3, isInteractive: () => false }), 5);
  await soon();
  expect(held).toHaveLength(3);
  held[0]?.();
  held[0]?.();
  await soon();
  expect(held).toHaveLength(4);
});

test('while users ask, one process is left to them, and streams have at least one', async () => {
  const [many, one] = [3, 1].map((processes) =>
    takeAll(createFrameSlots({ processes, isInteractive: () => true }), 5),
  );
  await soon();
  expect([many?.length, one?.length]).toEqual([2, 1]);
});

test('one that waits no longer keeps no other from its slot', async () => {
  const slots = createFrameSlots({ processes: 1, isInteractive: () => false });
  const release = await slots.take(never);
  const given = new AbortController();
  const refused = slots.take(given.signal);
  const next = slots.take(never);
  given.abort(new Error('gone'));
  await expect(refused).rejects.toThrow('gone');
  release();
  (await next)();
  await expect(slots.take(given.signal)).rejects.toThrow('gone');
});
