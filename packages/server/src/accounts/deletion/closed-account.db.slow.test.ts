import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { callApi } from '../../http/api/fixtures/call-api.js';
import { fillAccount } from '../../http/fixtures/account-facts.js';
import { upload } from '../../http/fixtures/ask.js';
import { enterAs, enterAsAdministrator, goodPassword, openBrowser } from '../../http/fixtures/browser.js';
import { callV1 } from '../../http/fixtures/call-v1.js';
import { pathsOfAccount } from '../../http/fixtures/paths-to-read.js';
import { startTestService, type TestService } from '../../http/fixtures/test-service.js';
import { ended, operator } from './fixtures/deletion-trial.js';

const timeout = 120_000;
let service: TestService;

describe('a closed account', { timeout }, () => {
  beforeEach(async () => {
    service = await startTestService({ keepImages: true });
  }, timeout);
  afterEach(() => service.stop());

  test('is refused as with an unknown key, by session, link, sign-in and FTP, and opens again', async () => {
    await enterAsAdministrator(service);
    const { key, accountId } = await service.makeKey('shop');
    const ids = await fillAccount(service, key, 0);
    const owner = await enterAs(service, accountId, 'owner', 'owner@example.com');
    const { link } = (
      await owner.call('/api/invitations', {
        method: 'POST',
        body: { email: 'late@example.com', role: 'reader' },
      })
    ).json;
    const drop = await service.database.query
      .selectFrom('drop_box')
      .select('user_name')
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow();
    const { key: dropKey } = (await callApi(service, `/api/drops/${ids.dropId}/key`, { method: 'POST', key }))
      .json;
    const ways = async () => {
      const guest = openBrowser(service);
      const signIn = await guest.call('/api/session', {
        method: 'POST',
        body: { email: 'owner@example.com', password: goodPassword },
      });
      const looked = await guest.call('/api/links', {
        method: 'POST',
        body: { token: String(link).split('#')[1] },
      });
      const v1 = await callV1(service, '/predict/image', {
        key,
        sent: upload,
      });
      return {
        v1: [v1.status, v1.json.error?.message ?? v1.json.message ?? null],
        api: (await callApi(service, '/api/account', { key })).status,
        session: (await owner.call('/api/session')).status,
        signIn: [signIn.status, signIn.json.code ?? null],
        link: looked.status,
        image: (await fetch(`${service.base}/face-images/${ids.token}`)).status,
        ftp:
          (await service.dropStore.logIn({ userName: drop.user_name, password: dropKey, host: null })) !==
          null,
      };
    };
    const open = await ways();
    expect(open).toMatchObject({ api: 200, session: 200, signIn: [201, null], image: 200, ftp: true });

    const { state, askedAt, dueAt } = await service.users.accountDeletions.request(operator, {
      accountId,
      name: 'shop',
    });
    expect([state, dueAt - askedAt]).toEqual(['scheduled', 72 * 3_600_000]);
    // A key is taken from memory for a second.
    await expect.poll(async () => (await ways()).v1[0], { timeout: 30_000 }).toBe(401);
    expect(await ways()).toMatchObject({
      api: 401,
      session: 401,
      signIn: [403, 'not_allowed'],
      link: 404,
      image: 404,
      ftp: false,
    });

    await service.users.accountDeletions.cancel(operator, accountId);
    // Sessions have ended for good.
    expect(await ways()).toEqual({ ...open, session: 401 });
    for (const path of pathsOfAccount(service.routes, ids)) {
      const { status } = await fetch(`${service.base}${path}`, { headers: { 'x-api-key': key } });
      expect([path, status]).toEqual([path, 200]);
    }
    await expect(service.users.accountDeletions.cancel(operator, accountId)).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  test('is deleted when its time has come, by its name alone, and not with the last administrator', async () => {
    const admin = await enterAsAdministrator(service);
    const { accountId } = await service.makeKey('shop');
    const { request, cancel } = service.users.accountDeletions;
    await expect(request(operator, { accountId, name: 'Shop' })).rejects.toMatchObject({
      code: 'wrong_parameters',
    });
    await expect(request(operator, { accountId: 9999, name: 'shop' })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(request(operator, { accountId: service.accountId, name: 'first' })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect((await admin.call('/api/session')).status).toBe(200);
    await request(operator, { accountId, name: 'shop', delayMs: 3_600_000 });
    await service.accountDeletions.wake();
    expect((await service.users.accountDeletions.read(accountId)).state).toBe('scheduled');
    await request(operator, { accountId, name: 'shop', delayMs: 0 });
    await ended(service, accountId);
    await expect(cancel(operator, accountId)).rejects.toMatchObject({ code: 'conflict' });
    // Its id is never given again.
    expect((await service.makeKey('shop')).accountId).toBeGreaterThan(accountId);
  });
});
