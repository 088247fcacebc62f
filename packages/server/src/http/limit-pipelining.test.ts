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

test('thousands sent at once close their connection, and another is answered', async () => {
  service = await startTestService();
  const flood = service.sendRaw('GET /predict/image HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(1300), 5000);
  const other = service.sendRaw(get.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'), 5000);
  expect(countAnswers(await other)).toBe(1);
  expect((await flood).split('HTTP/1.1 ').length - 1).toBeLessThan(100);
});
