import { expect, test } from 'vitest';
import { createLifecycle } from '../core/lifecycle.js';
import type { Bucket } from '../storage/objects/bucket.js';
import { createObjectsComponent } from './objects-component.js';

test('a bucket that is away leaves the service ready and degraded, with the reason', async () => {
  let state: true | string = true;
  const bucket = { state: () => state } as unknown as Bucket;
  const component = createObjectsComponent({ bucket, close: () => undefined });
  const lifecycle = createLifecycle({
    components: [component],
    drainTimeoutMs: 1000,
    onStopFailure: () => undefined,
  });
  await lifecycle.start();
  expect(lifecycle.readiness()).toEqual({ ready: true, components: [{ name: 'object store', ready: true }] });
  state = 'The bucket cannot be reached.';
  expect(lifecycle.readiness()).toEqual({
    ready: true,
    status: 'degraded',
    components: [{ name: 'object store', ready: true, status: 'degraded', reason: state }],
  });
  await lifecycle.stop();
});
