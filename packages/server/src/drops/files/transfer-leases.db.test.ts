import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Database } from '../../storage/database.js';
import { createProcessLeases } from '../../storage/leases/process-leases.js';
import type { DropFolders } from '../drop-folders.js';
import { type DropTrial, openDropTrial, put } from '../fixtures/drop-trial.js';
import type { DropRef } from './file-rows.js';
import type { FilesOfDrops } from './files-of-drops.js';

const leaseMs = 2500;
let trial: DropTrial;
let drop: DropRef;
beforeEach(async () => {
  trial = await openDropTrial();
  ({ drop } = await trial.makeDrop());
});
afterEach(() => trial.close());

interface Service {
  readonly files: FilesOfDrops;
  readonly folders: DropFolders;
  /** It cannot write to the database any more. */
  cutOff(isCutOff?: boolean): void;
}

/** One of several services that read the same bytes. */
function startService(folderUid: string, ms = leaseMs): Service {
  let isCutOff = false;
  const database: Database = {
    ...trial.database,
    async write(...unit) {
      if (isCutOff) throw new Error('cut off');
      return trial.database.write(...unit);
    },
  };
  const files = trial.openFiles({
    database,
    folderUid: null,
    leases: createProcessLeases({ database, folderUid, isAlone: false, leaseMs: ms }),
  });
  return {
    files,
    folders: files.foldersOf(drop),
    cutOff: (value = true) => {
      isCutOff = value;
    },
  };
}

const states = async () => (await trial.rows()).map(({ name, state }) => [name, state]);

describe('of several services that read the same bytes', () => {
  test('no start and no look ends a transfer of a living one, however long it takes', async () => {
    const [one, other] = [startService('one'), startService('other')];
    const upload = await one.folders.receive(['incoming', 'a.jpg'], { at: 'begin' });
    await upload.write(Buffer.from('pict'));
    for (let look = 0; look < 5; look += 1) {
      expect(await startService('third').files.recoverCut()).toBe(0);
      expect(await other.files.recoverCut()).toBe(0);
      await sleep(leaseMs / 3);
    }
    await expect(other.folders.receive(['incoming', 'a.jpg'], { at: 'end' })).rejects.toMatchObject({
      code: 'busy',
    });
    await upload.write(Buffer.from('ure'));
    await upload.finish();
    expect(await states()).toEqual([['a.jpg', 'arrived']]);
  });

  test('one that is cut off loses its transfer: it ends elsewhere, and what it writes late is refused', async () => {
    const [one, other] = [startService('one'), startService('other')];
    const upload = await one.folders.receive(['incoming', 'a.jpg'], { at: 'begin' });
    const empty = await one.folders.receive(['incoming', 'empty.jpg'], { at: 'begin' });
    await empty.sync();
    await upload.write(Buffer.from('pict'));
    await upload.sync();
    one.cutOff();
    let ended = 0;
    const endCut = async () => {
      ended += await other.files.recoverCut();
      return ended === 2;
    };
    await vi.waitUntil(endCut, { timeout: 30_000 });
    expect(await states()).toEqual([['a.jpg', 'partial']]);
    // Its bytes too: another may go on with the file.
    await expect(upload.write(Buffer.from('late'))).rejects.toMatchObject({ code: 'busy' });
    one.cutOff(false);
    await expect(upload.finish()).rejects.toMatchObject({ code: 'busy' });
    await empty.cut();
    expect(await states()).toEqual([['a.jpg', 'partial']]);
    expect(await trial.waiting()).toEqual([]);
  });

  test('a client goes on at another service as soon as the lease is over, and the first one changes nothing', async () => {
    const [one, other] = [startService('one'), startService('other')];
    const upload = await one.folders.receive(['incoming', 'a.jpg'], { at: 'begin' });
    await upload.write(Buffer.from('pict'));
    await upload.sync();
    one.cutOff();
    const resumed = await vi.waitUntil(
      () => other.folders.receive(['incoming', 'a.jpg'], { at: 'offset', offsetBytes: 4 }).catch(() => null),
      { timeout: 30_000, interval: 50 },
    );
    one.cutOff(false);
    await upload.cut();
    await expect(upload.finish()).rejects.toMatchObject({ code: 'busy' });
    await resumed?.write(Buffer.from('ure'));
    await resumed?.finish();
    const rows = await trial.rows();
    expect(rows.map(({ name, state, size_bytes }) => [name, state, size_bytes])).toEqual([
      ['a.jpg', 'arrived', 7],
    ]);
    expect(await trial.waiting()).toEqual(rows.map(({ id }) => id));
  });

  test('the next start on the same data folder ends the transfers of the one before at once', async () => {
    const one = startService('one', 3_600_000);
    const upload = await one.folders.receive(['incoming', 'a.jpg'], { at: 'begin' });
    await upload.write(Buffer.from('pict'));
    await upload.sync();
    expect(await startService('other').files.recoverCut()).toBe(0);
    expect(await startService('one').files.recoverCut()).toBe(1);
    expect(await states()).toEqual([['a.jpg', 'partial']]);
    await upload.cut();
  });

  test('unique names are unique among all of them', async () => {
    const services = [startService('one'), startService('other'), startService('third')];
    const uploads = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        services[index % 3]?.folders.receive(['incoming', 'a.jpg'], { at: 'begin', isUnique: true }),
      ),
    );
    const names = uploads.map((upload) => upload?.path.at(-1));
    expect(new Set(names).size).toBe(24);
    // Others get theirs while these are cut, and while they arrive.
    await Promise.all(uploads.map((upload, index) => (index % 2 === 0 ? upload?.cut() : upload?.finish())));
    const next = await services[0]?.folders.receive(['incoming', 'a.jpg.1'], { at: 'begin', isUnique: true });
    const held = new Set(
      (await trial.rows()).filter(({ state }) => state === 'arrived').map(({ name }) => name),
    );
    expect(held.has(next?.path.at(-1) ?? '')).toBe(false);
    await next?.cut();
  });
});

test('a transfer of a file that was deleted is not acknowledged', async () => {
  const folders = trial.files.foldersOf(drop);
  const upload = await folders.receive(['incoming', 'a.jpg'], { at: 'begin' });
  await upload.write(Buffer.from('pict'));
  await upload.sync();
  await trial.database.write([trial.database.query.deleteFrom('drop_file').where('name', '=', 'a.jpg')]);
  await expect(upload.finish()).rejects.toMatchObject({ code: 'busy' });
  expect(await trial.waiting()).toEqual([]);
});

test('what is whole replaces what was cut only where it is not refused itself', async () => {
  const folders = trial.files.foldersOf(drop);
  const cut = await folders.receive(['incoming', 'a.jpg'], { at: 'begin' });
  await cut.write(Buffer.from('half'));
  await cut.cut();
  const upload = await folders.receive(['incoming', 'a.jpg'], { at: 'begin' });
  await upload.write(Buffer.from('whole'));
  await upload.sync();
  const { query } = trial.database;
  await trial.database.write([
    query.updateTable('drop_file').set({ lease_epoch: 9 }).where('state', '=', 'receiving'),
  ]);
  await expect(upload.finish()).rejects.toMatchObject({ code: 'busy' });
  expect((await states()).sort()).toEqual([
    ['a.jpg', 'partial'],
    ['a.jpg', 'receiving'],
  ]);
  await put(folders, ['incoming', 'b.jpg'], 'other');
  expect(await states()).toContainEqual(['b.jpg', 'arrived']);
});
