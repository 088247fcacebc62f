import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Secret, TOTP } from 'otpauth';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { systemClock } from '../../core/clock.js';
import { dataFolder } from '../../storage/data-folder.js';
import type { Database } from '../../storage/database.js';
import { holdWrite } from '../../storage/fixtures/held-writes.js';
import { createTestDatabase, type TestDatabase } from '../../storage/fixtures/test-database.js';
import { openServiceStorage, type Storage } from '../../storage/open-storage.js';
import { createKey } from '../keys.js';
import type { AuthenticatedUser } from './authenticated-user.js';
import { openUsers, type Users } from './users.js';

const clock = systemClock;
const operator = { kind: 'operator', id: null, name: 'operator', address: null } as const;
const visitor = { address: '127.0.0.1', site: '127.0.0.1', userAgent: 'test', devices: undefined };
const email = 'ada@example.com';
const oldPassword = 'plum-Kettle 7 orbits';
const newPassword = 'harbour-Violin 9 tiles';
const thiefsPassword = 'copper-Lantern 4 moths';
const installationKey = randomBytes(32);
const signal = new AbortController().signal;

let dir: string;
let testDatabase: TestDatabase;
let storage: Storage;
let users: Users;
const opened: Users[] = [];
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'lynceus-reset-races-'));
  testDatabase = await createTestDatabase(dir);
  storage = await openServiceStorage(dataFolder(dir), testDatabase);
  const { database } = storage;
  const deps = { database, clock, trialCalls: 10, resultDays: 30 };
  const { accountId } = await createKey(deps, { account: 'one', name: 'first', expiresAt: null });
  users = await usersOn(database);
  const { token } = await users.invitations.make(accountId, operator, { email, role: 'owner' });
  await users.useLink({ token, name: 'Ada', password: oldPassword }, visitor, undefined);
});
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
  await storage.close();
  await testDatabase.drop();
  rmSync(dir, { recursive: true });
});

async function usersOn(database: Database): Promise<Users> {
  const settings = {
    openSignUp: false,
    accountDeletionDelayHours: 72,
    sessionIdleDays: 14,
    sessionMaxDays: 90,
    trialCalls: 10,
    resultDays: 30,
  };
  const made = await openUsers({
    database,
    clock,
    installationKeys: [installationKey],
    settings,
    onKeyRevoked: () => undefined,
    onAuditFailure: () => undefined,
  });
  opened.push(made);
  return made;
}
const signIn = (password: string, by = users, code?: string) =>
  by.signIn({ email, password, code }, visitor, { oldToken: undefined, signal });
async function authenticatedUserOf({ token }: { readonly token: string }): Promise<AuthenticatedUser> {
  const session = await users.sessions.find(token, visitor);
  if (!session) throw new Error('the session is over');
  const { user, account } = session;
  const actor = { kind: 'user', id: user.id, name: user.email, address: visitor.address } as const;
  return { user, accountId: account.id, sessionId: session.id, actor };
}
async function reset(code?: string): Promise<{ readonly token: string }> {
  const { token } = await users.makeLinks.reset(operator, { email });
  return users.useLink({ token, password: newPassword, code }, visitor, undefined);
}
const ofUser = /update "web_user"/;
/** Begins something, resets the password when such a statement is about to be written, and then lets it be written. */
async function overtakenByReset(
  begin: (held: Users) => Promise<unknown>,
  { statement = ofUser, code }: { readonly statement?: RegExp; readonly code?: string } = {},
) {
  const held = holdWrite(storage.database, statement);
  const begun = begin(await usersOn(held.database));
  const outcome = begun.then(
    () => 'done',
    (error: { code: string }) => error.code,
  );
  await Promise.race([held.reached, begun]);
  const owner = await reset(code);
  held.letGo();
  return { outcome: await outcome, owner };
}
const readUser = () =>
  storage.database.query
    .selectFrom('web_user')
    .select(['email', 'sealed_totp as sealedTotp', 'sealed_next_totp as sealedNextTotp'])
    .executeTakeFirstOrThrow();
const sessions = async (user: { readonly id: number }) =>
  (await users.sessions.list(user.id, { limit: 10, after: undefined })).items.map(({ id }) => id);
const codeOf = (secret: string, later = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock() + later * 30_000 });
async function addSecondFactor(authenticated: AuthenticatedUser) {
  const checked = await users.ownUser.checkPassword(authenticated, oldPassword);
  const { secret } = await users.secondFactor.prepare(authenticated, checked);
  const { recoveryCodes } = await users.secondFactor.confirm(authenticated, codeOf(secret));
  return { secret, recoveryCodes };
}

describe('what was begun before the password was reset, by a holder of the old one, changes nothing after it', () => {
  test('another password', async () => {
    const thief = await authenticatedUserOf(await signIn(oldPassword));
    const change = { current: oldPassword, password: thiefsPassword };
    const { outcome, owner } = await overtakenByReset((held) => held.ownUser.changePassword(thief, change));
    expect(outcome).toBe('not_signed_in');
    const { sessionId, user } = await authenticatedUserOf(owner);
    expect(await sessions(user)).toEqual([sessionId]);
    await expect(signIn(thiefsPassword)).rejects.toMatchObject({ code: 'wrong_sign_in' });
    await signIn(newPassword);
  });

  test('another mail address, or name', async () => {
    for (const change of [{ email: 'thief@example.com', password: oldPassword }, { name: 'Thief' }]) {
      const thief = await authenticatedUserOf(await signIn(oldPassword));
      const { outcome, owner } = await overtakenByReset((held) => held.ownUser.change(thief, change));
      expect(outcome).toBe('not_signed_in');
      const { user } = await authenticatedUserOf(owner);
      expect([user.email, user.name]).toEqual([email, 'Ada']);
      const back = { current: newPassword, password: oldPassword };
      await users.ownUser.changePassword(await authenticatedUserOf(owner), back);
    }
  });

  test('a second factor that is prepared or confirmed', async () => {
    const thief = await authenticatedUserOf(await signIn(oldPassword));
    const checked = await users.ownUser.checkPassword(thief, oldPassword);
    const { secret } = await users.secondFactor.prepare(thief, checked);
    const confirmed = await overtakenByReset((held) => held.secondFactor.confirm(thief, codeOf(secret)));
    expect(confirmed.outcome).toBe('not_signed_in');
    expect(await readUser()).toMatchObject({ sealedTotp: null, sealedNextTotp: null });

    const again = await authenticatedUserOf(await signIn(newPassword));
    const checkedAgain = await users.ownUser.checkPassword(again, newPassword);
    const prepared = await overtakenByReset((held) => held.secondFactor.prepare(again, checkedAgain));
    expect(prepared.outcome).toBe('not_signed_in');
    expect(await readUser()).toMatchObject({ sealedTotp: null, sealedNextTotp: null });
  });

  test('recovery codes that are renewed, or a second factor that is taken off', async () => {
    const thief = await authenticatedUserOf(await signIn(oldPassword));
    const { recoveryCodes } = await addSecondFactor(thief);
    const [first = '', second = '', third = '', fourth = ''] = recoveryCodes;
    const checked = await users.ownUser.checkPassword(thief, oldPassword);
    const { outcome } = await overtakenByReset((held) => held.secondFactor.renewRecoveryCodes(thief, first), {
      statement: /insert into "web_recovery_code"/,
      code: second,
    });
    expect(outcome).toBe('not_signed_in');
    await expect(users.secondFactor.remove(thief, third, checked)).rejects.toMatchObject({
      code: 'not_signed_in',
    });
    expect((await readUser()).sealedTotp).not.toBeNull();
    await signIn(newPassword, users, fourth);
  });

  test('a sign-in', async () => {
    const { outcome, owner } = await overtakenByReset((held) => signIn(oldPassword, held), {
      statement: /insert into "web_session"/,
    });
    expect(outcome).toBe('wrong_sign_in');
    const { user, sessionId } = await authenticatedUserOf(owner);
    expect(await sessions(user)).toEqual([sessionId]);
  });
});

test('a second factor that was prepared with the old password is gone after another is set', async () => {
  const authenticated = await authenticatedUserOf(await signIn(oldPassword));
  const checked = await users.ownUser.checkPassword(authenticated, oldPassword);
  const { secret } = await users.secondFactor.prepare(authenticated, checked);
  await users.ownUser.changePassword(authenticated, { current: oldPassword, password: newPassword });
  await expect(users.secondFactor.confirm(authenticated, codeOf(secret))).rejects.toMatchObject({
    code: 'conflict',
  });
  expect(await readUser()).toMatchObject({ sealedTotp: null, sealedNextTotp: null });
});

test('of two who change the password at once with the same old one, one is refused', async () => {
  const authenticated = await authenticatedUserOf(await signIn(oldPassword));
  const held = holdWrite(storage.database, ofUser);
  const change = { current: oldPassword, password: thiefsPassword };
  const late = (await usersOn(held.database)).ownUser.changePassword(authenticated, change);
  const refused = expect(late).rejects.toMatchObject({ code: 'conflict' });
  await held.reached;
  await users.ownUser.changePassword(authenticated, { current: oldPassword, password: newPassword });
  held.letGo();
  await refused;
  await signIn(newPassword);
});

// On SQLite there is one writer, and a unit waits for its turn before it reads.
describe.runIf(inject('postgres'))('on PostgreSQL, where units run side by side', () => {
  /** Holds the row of the user, as a reset does that is not committed yet, until somebody waits for it; then resets the password. */
  async function amidReset(
    operation: () => Promise<unknown>,
    statements: readonly string[],
  ): Promise<string> {
    const client = new Client(testDatabase.databaseUrl);
    await client.connect();
    try {
      await client.query('BEGIN');
      await client.query('SELECT id FROM web_user FOR NO KEY UPDATE');
      const outcome = operation().then(
        () => 'done',
        (error: { code: string }) => error.code,
      );
      await vi.waitFor(
        async () => {
          const { rows } = await client.query(
            `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          );
          if (rows.length === 0) throw new Error('nobody waits for the row');
        },
        { timeout: 60_000, interval: 20 },
      );
      for (const statement of statements) await client.query(statement);
      await client.query('COMMIT');
      return await outcome;
    } finally {
      await client.end();
    }
  }

  test('no session begun with the old password survives a reset', async () => {
    const { user } = await authenticatedUserOf(await signIn(oldPassword));
    const outcome = await amidReset(
      () => signIn(oldPassword),
      [`UPDATE web_user SET password_hash = 'another'`, 'DELETE FROM web_session'],
    );
    expect(outcome).toBe('wrong_sign_in');
    expect(await sessions(user)).toEqual([]);
  });

  test('nothing is changed by a session that ends while its unit waits', async () => {
    const authenticated = await authenticatedUserOf(await signIn(oldPassword));
    expect(
      await amidReset(
        () => users.ownUser.change(authenticated, { name: 'Thief' }),
        ['DELETE FROM web_session'],
      ),
    ).toBe('not_signed_in');
    const { name } = await storage.database.query
      .selectFrom('web_user')
      .select('name')
      .executeTakeFirstOrThrow();
    expect(name).toBe('Ada');
  });
});
