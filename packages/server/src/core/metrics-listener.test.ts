import { expect, test } from 'vitest';
import { createMetrics } from './metrics.js';
import { createMetricsListener } from './metrics-listener.js';

test('metrics are scraped from their own listener and count what happened', async () => {
  const metrics = createMetrics();
  metrics.observeRequest({ route: '/predict', status: 200, durationMs: 120, error: undefined });
  metrics.observeRequest({ route: '/predict', status: 429, durationMs: 1, error: 'key_limit' });
  metrics.observeCommit(7, 3);
  metrics.observeQueueWait('interactive', 300);
  metrics.watchInference(() => ({
    queued: { interactive: 3 },
    processes: [{ state: 'busy', rssBytes: 1000 }],
    crashed: 1,
    recycled: 0,
    outgrown: 0,
    timeouts: 0,
  }));
  const listener = createMetricsListener(metrics, { host: '127.0.0.1', port: 0 });
  await listener.start();
  const text = await (await fetch(`http://127.0.0.1:${listener.port}/metrics`)).text();
  for (const line of [
    'lynceus_http_requests_total{route="/predict",status="200"} 1',
    'lynceus_http_refusals_total{code="key_limit"} 1',
    'lynceus_database_commit_units_sum 7',
    'lynceus_inference_queue_jobs{priority="interactive"} 3',
    'lynceus_inference_queue_wait_seconds_bucket{le="0.5",priority="interactive"} 1',
    'lynceus_inference_processes{state="busy"} 1',
    'lynceus_inference_process_ends{cause="crashed"} 1',
  ]) {
    expect(text).toContain(line);
  }
  expect(text).toMatch(/nodejs_eventloop_lag_p99_seconds \d/);
  expect(text).toMatch(/process_resident_memory_bytes \d/);
  expect((await fetch(`http://127.0.0.1:${listener.port}/`)).status).toBe(404);
  await listener.stop();
});
