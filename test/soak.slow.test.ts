import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Service, startService } from '#bench/service.js';
import { soak } from '#bench/soak.js';
import { fastDetection } from '#bench/speed/requests.js';
import { haveDefaultModels } from './support/default-models.js';
import { sample } from './support/sample.js';

// The short form of `npm run bench -- soak`, which sends 24,000.
describe.skipIf(!(await haveDefaultModels()))('many requests in a row', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ LYNCEUS_RECOGNITION_PARTS: 'objects' });
  });
  afterAll(() => service.stop());

  test('are all answered, and memory stays where it was', { timeout: 300_000 }, async () => {
    const requests = [fastDetection(service.key, sample)];
    await soak(service, requests, { total: 60, clients: 4 });
    const { statuses, growth } = await soak(service, requests, { total: 160, clients: 4 });
    expect(statuses).toEqual({ 200: 160 });
    expect(growth).toBeLessThan(1.1);
  });
});
