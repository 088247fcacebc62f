import { afterEach, expect, test, vi } from 'vitest';
import { createLifecycle, type Lifecycle } from '../core/lifecycle.js';
import { createDiskGuard } from '../storage/disk-guard.js';
import { createDiskComponent } from './disk-component.js';

const megabyte = 1_000_000;
const waiting = { timeout: 30_000 };
let lifecycle: Lifecycle | undefined;
afterEach(() => lifecycle?.stop());

async function startOn(readFreeBytes: () => Promise<number>, reserveBytes = 100 * megabyte) {
  const disk = createDiskGuard({ dir: '/data', reserveBytes, readFreeBytes });
  lifecycle = createLifecycle({
    components: [createDiskComponent(disk, { intervalMs: 10 })],
    drainTimeoutMs: 1000,
    onStopFailure: () => undefined,
  });
  await lifecycle.start();
  return { disk, readiness: lifecycle.readiness };
}

test('a disk that is too full leaves the service ready and degraded, with the folder, both figures and what to do', async () => {
  let free = 1000 * megabyte;
  const { disk, readiness } = await startOn(async () => free);
  expect(readiness()).toEqual({ ready: true, components: [{ name: 'disk', ready: true }] });
  free = 60 * megabyte;
  await expect(disk.require()).rejects.toMatchObject({ code: 'no_space' });
  await vi.waitUntil(() => readiness().status === 'degraded', waiting);
  expect(readiness()).toMatchObject({ ready: true, components: [{ name: 'disk', ready: true }] });
  expect(readiness().components[0]?.reason).toMatch(
    /the disk of \/data has 60\.0 MB free and needs 108\.4 MB.*make the disk larger.*LYNCEUS_DISK_RESERVE_BYTES/,
  );
  free = 1000 * megabyte;
  await vi.waitUntil(() => readiness().status === undefined, waiting);
});

test('what it says at the start holds already then, and without a reserve it says nothing', async () => {
  expect((await startOn(async () => 0)).readiness().status).toBe('degraded');
  await lifecycle?.stop();
  expect((await startOn(async () => 0, 0)).readiness().status).toBeUndefined();
});

test('a look that fails leaves what was seen before', async () => {
  let looks = 0;
  const { readiness } = await startOn(async () => {
    looks += 1;
    if (looks > 1) throw new Error('the disk does not answer');
    return 0;
  });
  await vi.waitUntil(() => looks > 3, waiting);
  expect(readiness().status).toBe('degraded');
});
