import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createAudit } from '../../accounts/audit/audit.js';
import { createKey } from '../../accounts/keys.js';
import { makeUser } from '../../accounts/users/new-user.js';
import { systemClock } from '../../core/clock.js';
import { dataFolder } from '../data-folder.js';
import { runStep } from '../fixtures/run-step.js';
import { createTestDatabase, type TestDatabase } from '../fixtures/test-database.js';
import { openServiceStorage, type Storage } from '../open-storage.js';
import { attributeCreators } from './0026-creators-from-audit.js';

const clock = systemClock;
let dir: string;
let testDatabase: TestDatabase;
let storage: Storage;
let accountId: number;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'lynceus-creators-'));
  testDatabase = await createTestDatabase(dir);
  storage = await openServiceStorage(dataFolder(dir), testDatabase);
  const { database } = storage;
  const deps = { database, clock, trialCalls: 10, resultDays: 30 };
  ({ accountId } = await createKey(deps, { account: 'one', name: 'first', expiresAt: null }));
});
afterEach(async () => {
  await storage.close();
  await testDatabase.drop();
  rmSync(dir, { recursive: true });
});

const migrate = () => runStep(attributeCreators, dir, testDatabase);

async function enter(role: 'owner' | 'member', email: string): Promise<number> {
  const { database } = storage;
  const { statements } = makeUser(database, {
    accountId,
    name: email,
    role,
    passwordHash: 'none',
    isAdministrator: false,
    createdAt: clock(),
    email: { text: email, key: email },
  });
  await database.write(statements);
  const row = await database.query
    .selectFrom('web_user')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  return row.id;
}
const userActor = (id: number) => ({ kind: 'user', id, name: 'u', address: null }) as const;
const keyActor = (id: number) => ({ kind: 'key', id, name: null, address: null }) as const;
type Who = ReturnType<typeof userActor> | ReturnType<typeof keyActor>;

/** As it was before creators were written down. */
async function oldKey(who: Who | null, scope: 'account' | 'drop' = 'account'): Promise<number> {
  const { database } = storage;
  const [made] = await database.write([
    database.query
      .insertInto('api_key')
      .values({
        account_id: accountId,
        hash: `${Math.random()}`,
        prefix: 'lyn_',
        name: 'old',
        scope,
        created_at: clock(),
        expires_at: null,
        revoked_at: null,
      })
      .returning('id'),
  ]);
  const id = Number(made?.rows[0]?.['id']);
  if (who && scope === 'account') {
    const audit = createAudit({ database, clock });
    await audit.write(accountId, who, { action: 'keys.create', subject: { kind: 'key', id, name: 'old' } });
  }
  return id;
}
async function oldLink(link: {
  readonly kind: 'invitation' | 'reset' | 'first';
  readonly email?: string;
  readonly userId?: number;
}): Promise<number> {
  const { database } = storage;
  const [made] = await database.write([
    database.query
      .insertInto('web_link')
      .values({
        hash: `${Math.random()}`,
        kind: link.kind,
        created_at: clock(),
        expires_at: clock() + 1e6,
        account_id: link.kind === 'invitation' ? accountId : null,
        user_id: link.userId ?? null,
        email: link.email ?? null,
        role: null,
      })
      .returning('id'),
  ]);
  return Number(made?.rows[0]?.['id']);
}
const creators = async (table: 'api_key' | 'web_link') => {
  const rows = await storage.database.query
    .selectFrom(table)
    .select(['id', 'creator_kind', 'creator_user_id', 'creator_key_id'])
    .execute();
  return new Map(
    rows.map((row) => [row.id, [row.creator_kind, row.creator_user_id, row.creator_key_id] as const]),
  );
};

test('keys from before get their creators from the audit log, with what they created', async () => {
  const ada = await enter('owner', 'ada@example.com');
  const bob = await enter('member', 'bob@example.com');
  const first = await oldKey(userActor(ada));
  const second = await oldKey(keyActor(first));
  const third = await oldKey(keyActor(second));
  const unknown = await oldKey(null);
  const ofUnknown = await oldKey(keyActor(unknown));
  const dropKey = await oldKey(null, 'drop');
  const audit = createAudit({ database: storage.database, clock });
  await storage.database.write([
    storage.database.query.insertInto('drop_box').values({
      account_id: accountId,
      id: 1001,
      uid: 'gate',
      name: 'gate',
      user_name: 'gate',
      key_id: dropKey,
      settings: '{}',
      destination: null,
      sealed_secrets: null,
      created_at: clock(),
      deleted_at: null,
    }),
  ]);
  const subject = { kind: 'drop', id: 1001, name: 'gate' };
  await audit.write(accountId, userActor(ada), { action: 'drops.create', subject });
  await audit.write(accountId, userActor(bob), { action: 'drops.renew_key', subject });
  await migrate();
  const found = await creators('api_key');
  expect([first, second, third, unknown, ofUnknown, dropKey].map((id) => found.get(id))).toEqual([
    ['user', ada, null],
    ['key', ada, first],
    ['key', ada, second],
    [null, null, null],
    ['key', null, unknown],
    ['user', bob, null],
  ]);
});

test('open invitations and links stay of who may still let others in, and of nobody unknown', async () => {
  const ada = await enter('owner', 'ada@example.com');
  const bob = await enter('member', 'bob@example.com');
  const audit = createAudit({ database: storage.database, clock });
  const invited = (who: Who, email: string) =>
    audit.write(accountId, who, {
      action: 'invitations.create',
      subject: { kind: 'invitation', id: null, name: email },
    });
  const kept = await oldLink({ kind: 'invitation', email: 'kept@example.com' });
  await invited(userActor(bob), 'kept@example.com');
  await invited(userActor(ada), 'kept@example.com');
  const demoted = await oldLink({ kind: 'invitation', email: 'demoted@example.com' });
  await invited(userActor(bob), 'demoted@example.com');
  const removed = await oldLink({ kind: 'invitation', email: 'removed@example.com' });
  await invited(userActor(999), 'removed@example.com');
  const byOperator = await oldLink({ kind: 'invitation', email: 'op@example.com' });
  await audit.write(
    accountId,
    { kind: 'operator', id: null, name: 'operator', address: null },
    { action: 'invitations.create', subject: { kind: 'invitation', id: null, name: 'op@example.com' } },
  );
  const unknown = await oldLink({ kind: 'invitation', email: 'unknown@example.com' });
  const reset = await oldLink({ kind: 'reset', userId: bob });
  await audit.write(accountId, userActor(ada), {
    action: 'links.reset',
    subject: { kind: 'user', id: bob, name: 'bob@example.com' },
  });
  const unknownReset = await oldLink({ kind: 'reset', userId: ada });
  const first = await oldLink({ kind: 'first' });
  await migrate();
  const found = await creators('web_link');
  expect([kept, byOperator, reset, first].map((id) => found.get(id))).toEqual([
    ['user', ada, null],
    ['operator', null, null],
    ['user', ada, null],
    ['operator', null, null],
  ]);
  for (const id of [demoted, removed, unknown, unknownReset]) expect(found.has(id)).toBe(false);
});
