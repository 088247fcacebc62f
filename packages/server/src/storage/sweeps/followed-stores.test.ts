import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createMetrics } from '../../core/metrics.js';
import { openQuarantineOf, openSweepGuard } from '../quarantine/open-quarantine.js';
import { createStoreSweeps } from './sweep-stores.js';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lynceus-followed-'));
});
afterEach(() => rm(dir, { recursive: true }));

test('a service that does not lead reports what the leader found, and that it is over', async () => {
  const folder = { quarantineDir: join(dir, 'quarantine') };
  const guard = openSweepGuard(folder, null);
  const { blocked, sweeps } = createStoreSweeps({
    stores: [
      {
        name: 'faces',
        async *list() {},
        placeOf: (id) => id,
        findNamed: async () => new Set<string>(),
      },
    ],
    sharedStores: new Set(['faces'] as const),
    quarantine: openQuarantineOf(folder, null),
    guard,
    quarantineDays: 14,
    clock: () => 0,
    logger: { info: () => undefined, error: () => undefined },
    metrics: createMetrics().sweeps,
  });
  const [faces] = sweeps;
  await guard.block('faces', { items: 300, orphans: 200 }, 1);
  await faces?.follow?.();
  expect(blocked.get('faces')).toMatchObject({ orphans: 200 });
  await guard.clear('faces');
  await faces?.follow?.();
  expect(blocked.size).toBe(0);
});
