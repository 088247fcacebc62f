import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../core/clock.js';
import { dataFolder } from '../../storage/data-folder.js';
import { holdWrite } from '../../storage/fixtures/held-writes.js';
import { createTestDatabase, type TestDatabase } from '../../storage/fixtures/test-database.js';
import { openCommandStorage, openServiceStorage, type Storage } from '../../storage/open-storage.js';
import { createAudit } from '../audit/audit.js';
import { createOwnKey } from '../create-own-key.js';
import type { Creator } from '../creator.js';
import { createKey } from '../keys.js';
import { createOwnKeys } from '../own-keys.js';
import { createAdministration } from './administration.js';
import { createInvitations } from './invitations.js';
import { createLinks } from './links.js';
import { defaultKeyChoices } from './member-access.js';
import { createMembers } from './members.js';
import { makeUser } from './new-user.js';

const clock = systemClock;
const base = { clock, trialCalls: 10, resultDays: 30 };
const operator = { kind: 'operator', id: null, name: 'operator', address: null } as const;

describe('two programs on one database: while one removes a user, by the other', () => {
  let dir: string;
  let testDatabase: TestDatabase;
  let storages: readonly [Storage, Storage];
  let accountId: number;
  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'lynceus-member-races-'));
    testDatabase = await createTestDatabase(dir);
    const folder = dataFolder(dir);
    storages = [
      await openServiceStorage(folder, testDatabase),
      await openCommandStorage(folder, testDatabase),
    ];
    const account = { account: 'one', name: 'first', expiresAt: null };
    const deps = { database: storages[0].database, ...base };
    ({ accountId } = await createKey(deps, account));
    await enter('owner', 'stays');
  });
  afterEach(async () => {
    for (const { close } of storages) await close();
    await testDatabase.drop();
    rmSync(dir, { recursive: true });
  });

  async function enter(role: 'owner' | 'member', name: string): Promise<number> {
    const [{ database }] = storages;
    const text = `${name}@example.com`;
    const { statements } = makeUser(database, {
      accountId,
      name,
      role,
      passwordHash: 'none',
      isAdministrator: false,
      createdAt: clock(),
      email: { text, key: text },
    });
    await database.write(statements);
    const row = await database.query
      .selectFrom('web_user')
      .select('id')
      .where('email', '=', text)
      .executeTakeFirstOrThrow();
    return row.id;
  }
  const membersOf = ({ database }: Storage) =>
    createMembers({
      database,
      clock,
      audit: createAudit({ database, clock }),
      onKeyRevoked: () => undefined,
    });
  const keyBy = ({ database }: Storage, creator: Creator) =>
    createOwnKey({ database, clock }, accountId, { name: 'late', expiresAt: null, creator });
  const goodKeysOf = ({ database }: Storage, userId: number) =>
    database.query
      .selectFrom('api_key')
      .select('id')
      .where('creator_user_id', '=', userId)
      .where('revoked_at', 'is', null)
      .execute();

  const changes = {
    removal: (members: ReturnType<typeof membersOf>, id: number) =>
      members.remove(accountId, operator, id, defaultKeyChoices),
    demotion: (members: ReturnType<typeof membersOf>, id: number) =>
      members.changeRole(accountId, operator, id, 'reader', defaultKeyChoices),
  };

  test.each(['removal', 'demotion'] as const)('no key is created that outlives a %s', async (change) => {
    const [here, there] = storages;
    for (let round = 0; round < 8; round += 1) {
      const userId = await enter('member', `${change} ${round}`);
      const first = await keyBy(here, { kind: 'user', id: userId });
      const created = [here, there].flatMap((storage) =>
        Array.from({ length: 4 }, (_, index) =>
          keyBy(storage, index % 2 === 0 ? { kind: 'user', id: userId } : { kind: 'key', id: first.id }),
        ),
      );
      const settled = Promise.allSettled(created);
      await changes[change](membersOf(there), userId);
      for (const outcome of await settled) {
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'not_allowed' });
      }
      expect(await goodKeysOf(here, userId)).toEqual([]);
      // Nor afterwards, by a request that was let in before.
      for (const creator of [
        { kind: 'user', id: userId },
        { kind: 'key', id: first.id },
      ] as const) {
        await expect(keyBy(here, creator)).rejects.toMatchObject({ code: 'not_allowed' });
      }
    }
  });

  test('a change that was to give rights takes none away without taking back keys', async () => {
    const [here, there] = storages;
    const id = await enter('member', 'risen');
    const { id: keyId } = await keyBy(here, { kind: 'user', id });
    const change = (storage: Storage, role: 'owner' | 'member' | 'reader') =>
      membersOf(storage).changeRole(accountId, operator, id, role, defaultKeyChoices);
    await change(here, 'reader');
    await here.database.write([
      here.database.query.updateTable('api_key').set({ revoked_at: null }).where('id', '=', keyId),
    ]);

    // From reader to member, which takes nothing; by the time it is written, from owner to member.
    const held = holdWrite(here.database, /update "web_user"/);
    const late = change({ ...here, database: held.database }, 'member');
    const refused = expect(late).rejects.toMatchObject({ code: 'conflict' });
    await held.reached;
    await change(there, 'owner');
    held.letGo();
    await refused;
    const { items } = await membersOf(here).list(accountId, {}, { limit: 10, after: undefined });
    expect(items.find((each) => each.id === id)?.role).toBe('owner');
    await change(here, 'member');
    expect(await goodKeysOf(here, id)).toEqual([]);
  });

  test('no invitation is created that outlives a removal', async () => {
    const [here, there] = storages;
    const { database } = here;
    const invitations = createInvitations({
      database,
      clock,
      audit: createAudit({ database, clock }),
      links: createLinks({ database, clock }),
    });
    for (let round = 0; round < 8; round += 1) {
      const id = await enter('owner', `host ${round}`);
      const actor = { kind: 'user', id, name: 'host', address: null } as const;
      const made = Promise.allSettled(
        Array.from({ length: 6 }, (_, index) =>
          invitations.make(accountId, actor, { email: `g${round}-${index}@example.com`, role: 'owner' }),
        ),
      );
      await membersOf(there).remove(accountId, operator, id, defaultKeyChoices);
      await made;
      const late = { email: 'late@example.com', role: 'owner' } as const;
      await expect(invitations.make(accountId, actor, late)).rejects.toMatchObject({ code: 'not_allowed' });
      expect((await invitations.list(accountId, { limit: 10, after: undefined })).items).toEqual([]);
    }
  });

  describe.each(['removal', 'demotion'] as const)('after the %s of an owner', (change) => {
    test('a change that was let in before is refused, and all of its unit', async () => {
      const [here, there] = storages;
      const { database } = here;
      const id = await enter('owner', 'boss');
      const other = await enter('member', 'other');
      const { id: keyId } = await keyBy(here, { kind: 'operator' });
      const actor = { kind: 'user', id, name: 'boss', address: null } as const;
      const audit = createAudit({ database, clock });
      const invitations = createInvitations({
        database,
        clock,
        audit,
        links: createLinks({ database, clock }),
      });
      const invited = await invitations.make(accountId, operator, {
        email: 'wanted@example.com',
        role: 'reader',
      });
      await changes[change](membersOf(there), id);

      const members = membersOf(here);
      const ownKeys = createOwnKeys({ database, clock, onChange: () => undefined });
      const options = { force: true, by: { kind: 'user', id } } as const;
      const administration = createAdministration({ ...base, database, audit });
      const late = await Promise.allSettled([
        members.changeRole(accountId, actor, other, 'owner', defaultKeyChoices),
        members.changeRole(accountId, actor, other, 'reader', defaultKeyChoices),
        members.remove(accountId, actor, other, defaultKeyChoices),
        invitations.withdraw(accountId, actor, invited.id),
        ownKeys.change(accountId, keyId, { name: 'renamed' }, options),
        ownKeys.revoke(accountId, keyId, options),
        administration.createAccount(actor, { name: 'late' }),
        administration.changeAccount(actor, accountId, { resultDays: 1 }),
      ]);
      for (const outcome of late) {
        expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'not_allowed' } });
      }
      const { items } = await members.list(accountId, {}, { limit: 10, after: undefined });
      expect(items.find((each) => each.id === other)?.role).toBe('member');
      const log = await audit.list(accountId, { userId: id }, { limit: 100, after: undefined });
      expect(log.items).toEqual([]);
      const keys = await ownKeys.list(accountId, { limit: 10, after: undefined });
      expect(keys.items.find((each) => each.id === keyId)).toMatchObject({ name: 'late', revokedAt: null });
      const accounts = await administration.listAccounts({ limit: 10, after: undefined });
      expect(accounts.items).toMatchObject([{ id: accountId, resultDays: 30 }]);
    });
  });
});
