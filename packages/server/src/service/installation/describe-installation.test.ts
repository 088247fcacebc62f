import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { byPriority } from '@lynceus/engine';
import { expect, test } from 'vitest';
import { dataFolder } from '../../storage/data-folder.js';
import { openServiceStorage } from '../../storage/open-storage.js';
import { createDescribeInstallation } from './describe-installation.js';

test('the size of an SQLite database counts its write-ahead log', async () => {
  const folder = dataFolder(mkdtempSync(join(tmpdir(), 'lynceus-installation-')));
  const { database, close } = await openServiceStorage(folder);
  try {
    await database.write([
      database.query.insertInto('account').values({
        name: 'x'.repeat(200_000),
        plan: 'paid',
        call_limit: null,
        result_days: 30,
        created_at: 1,
      }),
    ]);
    const describe = createDescribeInstallation({
      version: '0',
      database,
      clock: Date.now,
      folder,
      isSqlite: true,
      readiness: () => ({ ready: true, components: [] }),
      listReplicas: async () => [],
      stats: () => ({
        queued: byPriority(() => 0),
        processes: [],
        int8: null,
        crashed: 0,
        outgrown: 0,
        recycled: 0,
        timeouts: 0,
      }),
    });
    const { bytes } = (await describe()).database;
    expect(bytes).toBeGreaterThan(200_000);
    expect(bytes).toBe(statSync(folder.databasePath).size + statSync(`${folder.databasePath}-wal`).size);
  } finally {
    await close();
    rmSync(folder.dir, { recursive: true });
  }
});
