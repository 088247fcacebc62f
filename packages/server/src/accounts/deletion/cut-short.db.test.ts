import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fillAccount } from '../../http/fixtures/account-facts.js';
import { startTestService, type TestService } from '../../http/fixtures/test-service.js';
import type { Database } from '../../storage/database.js';
import { ownedRows } from './owned-rows.js';
import { createRunDeletions } from './run-deletions.js';

const operator = { kind: 'operator', id: null, name: 'operator', address: null } as const;
const timeout = 180_000;

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ keepImages: true });
}, timeout);
afterAll(() => service.stop());

/** A service whose database answers so many writes, and is gone then. */
function openCut(writesLeft: number, nowMs: number, folder: string) {
  const { database } = service;
  let left = writesLeft;
  const cut: Database = {
    ...database,
    write: (...asked) => {
      left -= 1;
      return left < 0 ? Promise.reject(new Error('killed')) : database.write(...asked);
    },
  };
  return createRunDeletions({
    database: cut,
    clock: () => nowMs,
    owner: `service ${nowMs}`,
    folder,
    files: service.accountFiles,
    deleteRest: async () => ({ items: 0, isDone: true }),
    compact: async () => undefined,
    onEvent: () => undefined,
  });
}

async function countRows(accountId: number): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { table, condition } of ownedRows) {
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from ${sql.table(table)} where ${condition(accountId)}`.execute(
      service.database.query,
    );
    if (Number(rows[0]?.n) > 0) counts[table] = Number(rows[0]?.n);
  }
  return counts;
}

test(
  'a deletion that is cut after every few writes resumes where it stopped, and its receipt counts each row once',
  async () => {
    await service.accountDeletions.stop();
    const { key, accountId } = await service.makeKey('shop');
    await fillAccount(service, key, 0);
    const { database, users } = service;
    await users.accountDeletions.request(operator, { accountId, name: 'shop', delayMs: 0 });
    const before = await countRows(accountId);
    const { uid } = await database.query.selectFrom('data_folder').select('uid').executeTakeFirstOrThrow();
    const signal = new AbortController().signal;
    let cuts = 0;
    for (let nowMs = Date.now() + 1000; ; nowMs += 61_000) {
      const isDone = await openCut(
        3 + (cuts % 4),
        nowMs,
        uid,
      )(signal).then(
        () => true,
        () => false,
      );
      const { state, rows, foldersLeft } = await users.accountDeletions.read(accountId);
      if (isDone && state === 'done') {
        const counted = Object.fromEntries(rows.map(({ kind, items }) => [kind, items]));
        // A trigger lists changed faces while they are deleted.
        expect({ ...counted, face_change: 0 }).toEqual({ ...before, face_change: 0 });
        expect(foldersLeft).toEqual([]);
        break;
      }
      cuts += 1;
      expect(cuts).toBeLessThan(200);
    }
    expect(cuts).toBeGreaterThan(5);
    expect(await countRows(accountId)).toEqual({});
  },
  timeout,
);

test(
  'a receipt is complete when all data folders have reported, and rows stay until then',
  async () => {
    const { accountId } = await service.makeKey('two');
    const { database, users } = service;
    const other = '00000000-0000-4000-8000-00000000000b';
    const row = { label: 'b', generation: 1, joined_at: 1, started_at: 1, seen_at: 1, stopped_at: 1 };
    const rest = { retired_at: null, finding: null, found_at: null };
    const { uid } = await database.query.selectFrom('data_folder').select('uid').executeTakeFirstOrThrow();
    await database.write([database.query.insertInto('data_folder').values({ uid: other, ...row, ...rest })]);
    await users.accountDeletions.request(operator, { accountId, name: 'two', delayMs: 0 });
    const signal = new AbortController().signal;
    const run = (folder: string) => openCut(10_000, Date.now() + 1000, folder)(signal);
    await run(uid);
    const { state, waitsFor, foldersLeft } = await users.accountDeletions.read(accountId);
    expect([state, waitsFor, foldersLeft.length]).toEqual(['running', expect.stringContaining(other), 2]);
    expect(await countRows(accountId)).not.toEqual({});
    await run(other);
    expect(await users.accountDeletions.read(accountId)).toMatchObject({
      state: 'running',
      foldersLeft: [uid],
    });
    expect(await countRows(accountId)).toEqual({});
    await run(uid);
    expect(await users.accountDeletions.read(accountId)).toMatchObject({ state: 'done', foldersLeft: [] });
  },
  timeout,
);
