import { expect, test } from 'vitest';
import { ask } from './fixtures/ask.js';
import { useServices } from './fixtures/use-services.js';

const start = useServices();

test('/readyz is 503 until all is ready, /livez is 200 at once', async () => {
  let ready = false;
  const { base } = await start({ ready: () => ready });
  expect((await ask(`${base}/livez`)).status).toBe(200);
  const early = await ask(`${base}/readyz`);
  expect([early.status, early.json.components[0].name]).toEqual([503, 'inference']);
  ready = true;
  expect((await ask(`${base}/readyz`)).status).toBe(200);
});
