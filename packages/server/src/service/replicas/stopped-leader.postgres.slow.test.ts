import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { dataFolder } from '../../storage/data-folder.js';
import { createTestDatabase, type TestDatabase } from '../../storage/fixtures/test-database.js';
import { openCommandStorage, openServiceStorage, type Storage } from '../../storage/open-storage.js';

/** Of these tests, so that nobody waits for the usual ones. */
const timing = { beatMs: 100, deadAfterMs: 1000 };
const entry = fileURLToPath(new URL('./fixtures/leader-process.js', import.meta.url));

let dir: string;
let testDatabase: TestDatabase;
let storage: Storage;
const children: ChildProcess[] = [];
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'lynceus-leader-'));
  testDatabase = await createTestDatabase(dir);
  const folder = dataFolder(dir);
  await (await openServiceStorage(folder, testDatabase)).close();
  storage = await openCommandStorage(folder, testDatabase);
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});
afterAll(async () => {
  await storage.close();
  await testDatabase.drop();
  rmSync(dir, { recursive: true });
});

/** A process that counts a row up as long as it leads, each time by the database of who leads. */
async function start() {
  const child = spawn(process.execPath, [entry, dir, JSON.stringify(timing)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, LYNCEUS_DATABASE_URL: testDatabase.databaseUrl },
  });
  children.push(child);
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  await expect.poll(() => lines.length).toBeGreaterThan(0);
  const [uid = ''] = lines;
  /** What it says may come late; what it wrote is there. */
  const written = async () => {
    const row = await storage.database.query
      .selectFrom('throttle')
      .select('times')
      .where('key', '=', uid)
      .executeTakeFirst();
    return row?.times ?? 0;
  };
  return { child, lines, written };
}

test('a leader that was stopped (SIGSTOP) and goes on after its lease has written nothing since another leads', async () => {
  const first = await start();
  await expect.poll(first.written).toBeGreaterThan(3);
  const second = await start();
  first.child.kill('SIGSTOP');
  await expect.poll(second.written).toBeGreaterThan(3);
  const [ofFirst, said] = [await first.written(), first.lines.length];
  first.child.kill('SIGCONT');
  // It was in the middle of anything; what comes of it is a refusal, and then that it follows.
  await expect.poll(() => first.lines.slice(said)).toContain('follows');
  const ofSecond = await second.written();
  await expect.poll(second.written).toBeGreaterThan(ofSecond + 3);
  expect(await first.written()).toBe(ofFirst);
  // And one that was killed is replaced in turn.
  const ended = once(second.child, 'exit');
  second.child.kill('SIGKILL');
  await ended;
  await expect.poll(first.written).toBeGreaterThan(ofFirst);
});
