import { setTimeout as sleep } from 'node:timers/promises';

/** Repeats a search until nothing is found or the time is over; returns what it found last. */
export async function untilNone<Finding>(
  find: () => Promise<readonly Finding[]>,
  withinMs: number,
): Promise<readonly Finding[]> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const found = await find();
    if (found.length === 0 || performance.now() >= deadline) return found;
    await sleep(500);
  }
}

/** Waits until a condition holds; returns whether it held in time. */
export async function untilTrue(
  holds: () => boolean | Promise<boolean>,
  withinMs: number,
  lookEveryMs = 100,
): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() >= deadline) return false;
    await sleep(lookEveryMs);
  }
  return true;
}
