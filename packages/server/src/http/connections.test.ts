import { Client } from 'undici';
import { afterEach, expect, test } from 'vitest';
import { startTestService, type TestService } from './fixtures/test-service.js';

let service: TestService | undefined;
afterEach(async () => {
  await service?.stop();
  service = undefined;
});

const get = 'GET /livez HTTP/1.1\r\nHost: a\r\n\r\n';
const countAnswers = (text: string) => text.split('HTTP/1.1 200 ').length - 1;

test('twenty requests sent at once on one connection are all answered, and twenty more after them', async () => {
  service = await startTestService();
  expect(countAnswers(await service.sendRaw(get.repeat(20)))).toBe(20);
  expect(countAnswers(await service.sendRaw(get.repeat(20)))).toBe(20);
});

test('a hundred requests one after the other go over one connection, refused uploads among them', async () => {
  service = await startTestService();
  const { base, key } = service;
  const client = new Client(base);
  for (let round = 0; round < 50; round += 1) {
    const alive = await client.request({ path: '/livez', method: 'GET' });
    await alive.body.dump();
    const wrong = round % 2 === 0 ? 'wrong' : key;
    const refused = await client.request({
      path: `/predict/image?apikey=${wrong}&parts=none`,
      method: 'POST',
      body: Buffer.alloc(round % 10 === 0 ? 600_000 : 1000),
    });
    expect([alive.statusCode, refused.statusCode]).toEqual([200, round % 2 === 0 ? 401 : 400]);
    await refused.body.dump();
  }
  await client.close();
});

test('thousands sent at once close their connection, and another is answered', async () => {
  service = await startTestService();
  const flood = service.sendRaw('GET /predict/image HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(1300), 5000);
  const other = service.sendRaw(get.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'), 5000);
  expect(countAnswers(await other)).toBe(1);
  expect((await flood).split('HTTP/1.1 ').length - 1).toBeLessThan(100);
});
