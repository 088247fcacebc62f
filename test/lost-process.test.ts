import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withDescendants } from '#bench/processes.js';
import { type Service, startService } from '#bench/service.js';
import { haveDefaultModels } from './default-models.js';
import { sample } from './sample.js';

describe.skipIf(!(await haveDefaultModels()))('an inference process that dies', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ LYNCEUS_INFERENCE_PROCESSES: '2' });
  });
  afterAll(() => service.stop());

  const predict = async () => {
    const sentAt = performance.now();
    const answer = await fetch(`${service.url}/predict?api_key=${service.key}`, {
      method: 'PUT',
      body: JSON.stringify({ base64str: sample.toString('base64'), model_id: 'coco-accurate' }),
    });
    const body = await answer.json();
    return {
      http: answer.status,
      retryAfter: answer.headers.get('retry-after'),
      body,
      ms: performance.now() - sentAt,
    };
  };

  test('fails the request inside it with 503, and no other; the next is answered within 2 s', async () => {
    const children = (await withDescendants(service.pid)).slice(1);
    expect(children).toHaveLength(2);
    const undisturbed = await predict();
    const running = Array.from({ length: 5 }, predict);
    // From the first answer on both are at work, with more in the queue.
    await Promise.race(running);
    const [victim = 0] = children;
    process.kill(victim, 'SIGKILL');
    const next = await predict();
    expect(next.http).toBe(200);
    // A machine that is busy with other things takes longer for each of the five before it.
    expect(next.ms).toBeLessThan(Math.max(2000, 10 * undisturbed.ms));

    const answers = await Promise.all(running);
    const failed = answers.filter(({ http }) => http !== 200);
    expect(failed).toHaveLength(1);
    expect(failed[0]).toMatchObject({
      http: 503,
      retryAfter: '1',
      body: { status: -7, status_description: 'Error (Service Busy)', error: { code: 'service_busy' } },
    });
    const after = (await withDescendants(service.pid)).slice(1);
    expect(after).toHaveLength(2);
    expect(after).not.toContain(victim);
  });
});
