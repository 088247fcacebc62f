import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Database } from '../../storage/database.js';
import { createProcessLeases } from '../../storage/leases/process-leases.js';
import { type DropTrial, openDropTrial } from '../fixtures/drop-trial.js';
import { connectRaw } from './fixtures/raw-client.js';
import { startTestFtp } from './fixtures/test-ftp.js';

let trial: DropTrial;
beforeEach(async () => {
  trial = await openDropTrial();
});
afterEach(() => trial.close());

test('226 is not the answer for a transfer that another service has ended', async () => {
  let isCutOff = false;
  const database: Database = {
    ...trial.database,
    async write(...unit) {
      if (isCutOff) throw new Error('cut off');
      return trial.database.write(...unit);
    },
  };
  const shared = { folderUid: null } as const;
  const leases = (folderUid: string) => ({ database, folderUid, isAlone: false, leaseMs: 2500 });
  const files = trial.openFiles({ ...shared, database, leases: createProcessLeases(leases('one')) });
  const other = trial.openFiles({
    ...shared,
    leases: createProcessLeases({ ...leases('other'), database: trial.database }),
  });
  const { drop } = await trial.makeDrop();
  const ftp = await startTestFtp({ shown: files.foldersOf(drop) });
  try {
    const client = await connectRaw(ftp.port);
    await client.logIn();
    const data = await client.openData();
    await client.ask('STOR incoming/a.jpg');
    data.write('pict');
    await vi.waitUntil(async () => (await trial.rows()).length === 1, { timeout: 30_000 });
    isCutOff = true;
    await vi.waitUntil(async () => (await other.recoverCut()) === 1, { timeout: 30_000 });
    // It can write again, and its client has sent all.
    isCutOff = false;
    data.end('ure');
    expect(await client.hear()).toMatch(/^450 .*send it again/);
    expect(await trial.waiting()).toEqual([]);

    // The client follows the answer.
    expect(await client.store('STOR incoming/a.jpg', 'picture')).toMatch(/^226 /);
    expect((await trial.rows()).map(({ state, size_bytes }) => [state, size_bytes])).toEqual([
      ['arrived', 7],
    ]);
    client.close();
  } finally {
    await ftp.stop();
  }
});
