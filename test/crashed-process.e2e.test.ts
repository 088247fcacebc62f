import { createLynceusClient } from '@lynceus/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withDescendants } from '#bench/processes.js';
import { type Service, startService } from '#bench/service.js';
import { haveDefaultModels } from './support/default-models.js';
import { sample } from './support/sample.js';

describe.skipIf(!(await haveDefaultModels()))('an inference process that dies', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ LYNCEUS_INFERENCE_PROCESSES: '2' });
  });
  afterAll(() => service.stop());

  const predict = async () => {
    const { detect } = createLynceusClient({ baseUrl: service.url, apiKey: service.key });
    const sentAt = performance.now();
    const failure: unknown = await detect(sample, { modelId: 'coco-accurate' }).then(
      () => null,
      (error: unknown) => error,
    );
    return { failure, ms: performance.now() - sentAt };
  };

  test('fails the request inside it with 503, and no other; the next is answered', async () => {
    const children = (await withDescendants(service.pid)).slice(1);
    expect(children).toHaveLength(2);
    const undisturbed = await predict();
    const running = Array.from({ length: 5 }, predict);
    // From the first answer on both are at work, with more in the queue.
    await Promise.race(running);
    const [victim = 0] = children;
    process.kill(victim, 'SIGKILL');
    const next = await predict();
    expect(next.failure).toBeNull();
    // A machine that is busy with other things takes longer for each of the five before it.
    expect(next.ms).toBeLessThan(Math.max(60_000, 10 * undisturbed.ms));

    const answers = await Promise.all(running);
    const failed = answers.filter(({ failure }) => failure !== null);
    expect(failed).toHaveLength(1);
    expect(failed[0]?.failure).toMatchObject({ code: 'service_busy', httpStatus: 503, retryAfterMs: 1000 });
    const after = (await withDescendants(service.pid)).slice(1);
    expect(after).toHaveLength(2);
    expect(after).not.toContain(victim);
  });
});
