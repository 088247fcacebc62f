import { startTestService } from '@lynceus/server/dist/http/fixtures/test-service.js';
import { expect, test } from 'vitest';
import { measureLists } from '#bench/console-size/measure-lists.js';
import { fullScale, seedAccount } from '#bench/console-size/seed.js';
import { fullStreamScale, seedStreams } from '#bench/console-size/seed-streams.js';

// The short form of `npm run bench -- console-size`, a tenth of the account.

test('every list of an account that has much is answered at once, page after page', {
  timeout: 300_000,
}, async () => {
  const service = await startTestService();
  try {
    const tenth = Object.entries(fullScale).map(([what, count]) => [what, Math.ceil(count / 10)]);
    const scale = { ...fullScale, ...Object.fromEntries(tenth), imagesPerPerson: 3 };
    await seedAccount(service.database, service, scale);
    const tracks = Math.ceil(fullStreamScale.tracks / 10);
    await seedStreams(service.database, service.accountId, { ...fullStreamScale, tracks });
    const figures = await measureLists({ url: service.base, key: service.key });
    expect(figures.filter((each) => Math.max(each.firstPageMs, each.laterPageMs) > 500)).toEqual([]);
    expect(figures.find(({ path }) => path === '/api/files')?.pages).toBe(10);
  } finally {
    await service.stop();
  }
});
