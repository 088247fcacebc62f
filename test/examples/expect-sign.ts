import { expect } from 'vitest';
import { signBox } from '../support/sample.js';

type Edge = number | undefined;

/** Whether a box of X1, Y1, X2, Y2 is where the sign of the sample was drawn. */
export function expectSignBox([x1, y1, x2, y2]: readonly [Edge, Edge, Edge, Edge]): void {
  const { xmin, ymin, xmax, ymax } = signBox;
  const near = (edge: number) => expect.toSatisfy((found: number) => Math.abs(found - edge) < 20);
  expect([x1, y1, x2, y2]).toEqual([xmin, ymin, xmax, ymax].map(near));
}

/** Whether the lines of an example name the sign and its text by v1, and the sign by v2. */
export function expectSignByBoth(lines: readonly string[]): void {
  const [v1, sign = '', text, v2, signByV2 = '', ...more] = lines;
  expect([v1, v2, more]).toEqual(['v1, objects and texts:', 'v2, objects:', []]);
  expect(text).toMatch(/^ {2}the text "STOP" at \d+,\d+,\d+,\d+$/);
  for (const line of [sign, signByV2]) {
    expect(line).toMatch(/^ {2}stop sign (1|0\.9)/);
    const [, a, b, c, d] = (line.match(/[\d.]+/g) ?? []).map(Number);
    // Those of v1 as they come are X1, X2, Y1, Y2.
    expectSignBox(line.includes(' at ') ? [a, c, b, d] : [a, b, c, d]);
  }
}
