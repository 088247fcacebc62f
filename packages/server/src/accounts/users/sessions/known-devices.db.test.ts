import { hkdfSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { enterAs, goodPassword, openBrowser } from '../../../http/fixtures/browser.js';
import { startTestService, type TestService } from '../../../http/fixtures/test-service.js';
import { createKnownDevices } from './known-devices.js';

const dayMs = 86_400_000;
let nowMs = Date.now();
let service: TestService;
beforeAll(async () => {
  service = await startTestService({ clock: () => nowMs });
});
afterAll(() => service.stop());

const open = (key: number) =>
  createKnownDevices({
    database: service.database,
    clock: () => nowMs,
    installationKeys: [Buffer.alloc(32, key)],
  });
const userOf = async (email: string) => {
  await enterAs(service, service.accountId, 'member', email);
  const { id } = await service.database.query
    .selectFrom('web_user')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  const owner = await open(1).readOwner(id);
  if (!owner) throw new Error('nobody');
  return owner;
};

describe('the cookie of a known device', () => {
  test('is for one user, until the password or the second factor changes, for half a year', async () => {
    const devices = open(1);
    const [ada, grace] = [await userOf('ada@example.com'), await userOf('grace@example.com')];
    const cookie = await devices.remember(ada.id, undefined);
    const id = devices.recognize(cookie, ada);
    expect(id).toMatch(/^[\w-]{22}$/);
    expect(devices.recognize(cookie, grace)).toBeNull();
    expect(devices.recognize(cookie, { ...ada, passwordHash: 'another' })).toBeNull();
    expect(devices.recognize(cookie, { ...ada, sealedTotp: 'another' })).toBeNull();
    expect(devices.recognize(await devices.remember(ada.id, cookie), ada)).toBe(id);
    nowMs += 180 * dayMs;
    expect(devices.recognize(cookie, ada)).toBeNull();
    expect(devices.isOurs(cookie)).toBe(false);
  });

  test('is forged by nobody who has a copy of the database, nor with another label', async () => {
    const ada = await userOf('mary@example.com');
    const cookie = await open(2).remember(ada.id, undefined);
    expect(open(1).recognize(cookie, ada)).toBeNull();
    expect(open(1).isOurs(cookie)).toBe(false);
    const derived = Buffer.from(hkdfSync('sha256', Buffer.alloc(32, 1), '', 'another label', 32));
    const other = createKnownDevices({
      database: service.database,
      clock: () => nowMs,
      installationKeys: [derived],
    });
    expect(open(1).recognize(await other.remember(ada.id, undefined), ada)).toBeNull();
    const good = await open(1).remember(ada.id, undefined);
    const parts = good.split('.');
    for (const [index, part] of parts.entries()) {
      const last = part.at(-1) === '1' ? '2' : '1';
      const changed = parts.with(index, part.slice(0, -1) + last).join('.');
      // The last letter of a signature has bits that nothing reads.
      if (index < 4) expect([index, open(1).recognize(changed, ada)]).toEqual([index, null]);
    }
    for (const odd of ['', '~', '~~~~', good.slice(1), `${good}.x`, 'a'.repeat(5000)]) {
      expect([odd, open(1).recognize(odd, ada)]).toEqual([odd, null]);
    }
  });

  test('knows a browser for several users, of whom the one of longest ago makes room', async () => {
    const devices = open(1);
    const users = [];
    for (let each = 0; each < 6; each += 1) users.push(await userOf(`shared${each}@example.com`));
    let cookie: string | undefined;
    for (const { id } of users) cookie = await devices.remember(id, cookie);
    expect(users.map((user) => devices.recognize(cookie, user) !== null)).toEqual([
      ...[false, true, true, true, true, true],
    ]);
    expect(cookie?.length).toBeLessThan(800);
  });

  test('is given to whoever signs in, stays after the sign-out, and opens nothing', async () => {
    const browser = await enterAs(service, service.accountId, 'member', 'opens@example.com');
    await browser.call('/api/session', { method: 'DELETE' });
    expect([browser.jar.cookie.split('=')[1] ?? '', browser.jar.device]).toEqual([
      ...['', expect.stringMatching(/^lynceus_device=\d/)],
    ]);
    const guest = openBrowser(service);
    guest.jar.device = browser.jar.device;
    expect((await guest.call('/api/session')).status).toBe(401);
    const wrong = { email: 'opens@example.com', password: 'wrong' };
    expect(
      (await guest.call('/api/session', { method: 'POST', body: wrong })).headers['set-cookie'],
    ).toBeUndefined();
    const right = { email: 'opens@example.com', password: goodPassword };
    expect((await guest.call('/api/session', { method: 'POST', body: right })).status).toBe(201);
  });
});
