import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { dataFolder } from './data-folder.js';
import { createTestDatabase } from './fixtures/test-database.js';
import { openServiceStorage } from './open-storage.js';

const writerPath = fileURLToPath(new URL('./durability-writer.js', import.meta.url));

/** Names that the child said are on disk before it was killed. */
function writeUntilKilled(
  [dir, databaseUrl]: readonly [string, string],
  round: number,
  acknowledgements: number,
): Promise<string[]> {
  const child = spawn(process.execPath, [writerPath, dir, databaseUrl, String(round)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    if (text.split('\n').length > acknowledgements) child.kill('SIGKILL');
  });
  return new Promise((resolve) => child.on('close', () => resolve(text.split('\n').slice(0, -1))));
}

test('nothing acknowledged is lost when the process is killed, and the folder is free at once', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'lynceus-durability-'));
  const testDatabase = await createTestDatabase(dir);
  const acknowledged: string[] = [];
  for (let round = 0; round < 5; round += 1) {
    acknowledged.push(...(await writeUntilKilled([dir, testDatabase.databaseUrl], round, 200 + 137 * round)));
  }
  const { database, close } = await openServiceStorage(dataFolder(dir), testDatabase);
  const rows = await database.query.selectFrom('account').select('name').execute();
  const kept = new Set(rows.map((row) => row.name));
  expect(acknowledged.length).toBeGreaterThan(2000);
  expect(acknowledged.filter((name) => !kept.has(name))).toEqual([]);
  await close();
  await testDatabase.drop();
  rmSync(dir, { recursive: true });
});
