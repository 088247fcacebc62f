import { afterAll, beforeAll, expect, test } from 'vitest';
import { enterAs, goodPassword } from '../../fixtures/browser.js';
import { startTestService, type TestService } from '../../fixtures/test-service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

test('who changes their own mail address finds out of few others whether they have users', async () => {
  const { accountId } = await service.makeKey('other');
  await enterAs(service, accountId, 'owner', 'there@example.com');
  const browser = await enterAs(service, service.accountId, 'member', 'curious@example.com');
  const change = async (email: string) => {
    const body = { email, password: goodPassword };
    return (await browser.call('/api/user', { method: 'PATCH', body })).status;
  };
  const asked = ['there@example.com', 'nobody@example.com'];
  const answers: number[] = [];
  for (let time = 0; time < 14; time += 1) answers.push(await change(asked[time % 2] ?? ''));
  expect(answers.slice(0, 4)).toEqual([409, 200, 409, 200]);
  expect(answers.slice(10)).toEqual([429, 429, 429, 429]);
  // A name is free to change.
  const renamed = await browser.call('/api/user', { method: 'PATCH', body: { name: 'Curious' } });
  expect(renamed.status).toBe(200);
}, 120_000);
