import { setPriority } from 'node:os';
import { expect, test } from 'vitest';
import { ChildHost } from './child-host.js';
import type { ChildReport } from './fixtures/test-child.js';

// As the service of an operator who starts it with `nice`; root could raise its children above that.
test.runIf(process.platform === 'linux')('a child is never above its parent', async () => {
  setPriority(12);
  const report = await new Promise<ChildReport>((resolve) => {
    const child = new ChildHost({
      entry: new URL('./fixtures/test-child.js', import.meta.url),
      output: 'ignore',
      niceness: 7,
      onMessage: (message) => {
        resolve(message as ChildReport);
        child.kill();
      },
    });
    child.send({ order: 'report' });
  });
  expect(report.priority).toBeGreaterThanOrEqual(12);
});
