import type { Locator } from 'playwright-core';
import { expect } from 'vitest';

/** Where it is on the page, in its pixels, once it is there: what it takes the place of may just go. */
export async function shownBox(locator: Locator) {
  const box = { x: 0, y: 0, width: 0, height: 0 };
  await expect.poll(async () => Object.assign(box, await locator.boundingBox()).width).toBeGreaterThan(0);
  return box;
}
