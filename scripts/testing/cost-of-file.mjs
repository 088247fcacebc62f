import { appendFileSync, readFileSync } from 'node:fs';
import { afterAll, expect } from 'vitest';

// With TEST_COSTS=FILE each test file adds a line to it: CPU seconds with those of the processes that it started and saw end, seconds that
// passed, path. What a run takes on two cores is the sum of the first column by two.

const startedAt = performance.now();
const before = cpuSeconds();

// Registered first, so it runs after those of the file itself have stopped what they started.
afterAll(() => {
  const seconds = (performance.now() - startedAt) / 1000;
  const line = [(cpuSeconds() - before).toFixed(2), seconds.toFixed(1), expect.getState().testPath].join(
    '\t',
  );
  appendFileSync(process.env.TEST_COSTS, `${line}\n`);
});

/** Of this process and its children, in ticks of a hundredth: proc(5), fields 14 to 17 of stat. */
function cpuSeconds() {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const afterName = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return afterName.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
}
