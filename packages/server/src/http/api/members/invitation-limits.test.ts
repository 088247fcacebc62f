import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Browser, enterAs } from '../../fixtures/browser.js';
import { startTestService, type TestService } from '../../fixtures/test-service.js';

let service: TestService;
let owner: Browser;
beforeAll(async () => {
  service = await startTestService();
  owner = await enterAs(service, service.accountId, 'owner', 'owner@example.com');
});
afterAll(() => service.stop());

test('of many invitations at once no more are open than an account may have', async () => {
  const { id, email: name } = (await owner.call('/api/session')).json.user;
  const actor = { kind: 'user', id, name, address: null } as const;
  const made = await Promise.allSettled(
    Array.from({ length: 230 }, (_, index) =>
      service.users.invitations.make(service.accountId, actor, {
        email: `guest${index}@example.com`,
        role: 'reader',
      }),
    ),
  );
  const refused = made.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
  expect(refused).toEqual(Array.from({ length: 30 }, () => 'conflict'));
  const { count } = await service.database.query
    .selectFrom('web_link')
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('kind', '=', 'invitation')
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow();
  expect(Number(count)).toBe(200);
  const invite = (email: string) =>
    owner.call('/api/invitations', { method: 'POST', body: { email, role: 'reader' } });
  expect((await invite('one-more@example.com')).json.code).toBe('conflict');
}, 120_000);
