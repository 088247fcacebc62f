import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { fillDisk } from '../fixtures/fill-disk.js';
import { resumeSweeps } from '../sweep-suspension.js';
import { usePair } from './fixtures/use-pair.js';
import { listFolders } from './list-folders.js';

describe('a data folder and its database, one of them older than the other', () => {
  const own = usePair();
  const { inService, inDatabase, start, setIdentity, setGeneration, forget, suspension } = own;

  test('start after a kill at any point of the first start', async () => {
    const { installation, folder: uid } = await start();
    // The folder alone was written.
    await forget();
    setIdentity({ generation: 0, next: 1 });
    expect(await start()).toMatchObject({ installation, folder: uid, finding: null });
    // The database too, and the folder not again.
    await setGeneration(1);
    setIdentity({ generation: 0, next: 1 });
    expect(await start()).toMatchObject({ installation, folder: uid, finding: null });
    expect(await suspension()).toBeNull();
  });

  test('start after a kill at any point of a later start or check', async () => {
    await start();
    for (const inDatabaseIs of [7, 8]) {
      await setGeneration(inDatabaseIs);
      setIdentity({ generation: 7, next: 8 });
      expect((await start()).finding).toBeNull();
    }
    expect(await suspension()).toBeNull();
  });

  test('start with sweeps suspended when the database is older than the folder', async () => {
    await start();
    await setGeneration(1);
    const { finding, notices } = await start();
    expect(finding).toMatch(/the database is older/);
    expect(notices()).toEqual([finding]);
    expect(await suspension()).toMatchObject({ reason: expect.stringMatching(/the database is older/) });
    expect((await start()).finding).toBeNull();
    const [listed] = await inDatabase((database) => listFolders(database, Date.now()));
    expect(listed?.finding).toBe(finding);
  });

  test('start with sweeps suspended when the database is of before the folder joined', async () => {
    await start();
    await inDatabase(({ query, write }) => write([query.deleteFrom('data_folder')]));
    expect((await start()).finding).toMatch(/older copy/);
    expect(await suspension()).not.toBeNull();
  });

  test('start with sweeps suspended when the folder is older than the database', async () => {
    await start();
    const older = readFileSync(own.folder.identityPath);
    await start();
    writeFileSync(own.folder.identityPath, older);
    expect((await start()).finding).toMatch(/the folder is older/);
    expect(await suspension()).not.toBeNull();
    expect((await start()).finding).toBeNull();
  });

  test('suspend sweeps when the database is replaced while the service runs', async () => {
    await inService(async ({ pair, database }) => {
      await pair.check();
      await pair.check();
      expect([await suspension(), pair.notices()]).toEqual([null, []]);
      await database.write([database.query.updateTable('data_folder').set({ generation: 1 })]);
      await pair.check();
      expect(await suspension()).toMatchObject({ reason: expect.stringMatching(/was replaced/) });
      expect(pair.notices()).toEqual([expect.stringMatching(/was replaced/)]);
    });
    expect((await start()).finding).toMatch(/older/);
  });

  test('are distinguished from a backup made while the service ran', async () => {
    const generation = await inService(({ database }) =>
      database.query.selectFrom('data_folder').select('generation').executeTakeFirstOrThrow(),
    );
    // As the backup has it that is put back now.
    await setGeneration(generation.generation);
    expect((await start()).finding).toMatch(/the database is older/);
  });

  test('suspend sweeps once for a replaced database, and not again when an operator resumed them', async () => {
    const found: string[] = [];
    await inService(
      async ({ pair, database }) => {
        await database.write([database.query.updateTable('data_folder').set({ generation: 99 })]);
        await pair.check();
        expect(await suspension()).not.toBeNull();
        await resumeSweeps(own.folder);
        await pair.check();
        await pair.check();
        expect(await suspension()).toBeNull();
        expect(pair.notices()).toEqual([expect.stringMatching(/restart the service/)]);
      },
      { onReplaced: (finding) => found.push(finding) },
    );
    expect(found).toEqual([expect.stringMatching(/was replaced.*restart the service/)]);
  });

  test('start, and are looked at, on a disk that is full', async () => {
    await start();
    const before = readFileSync(own.folder.identityPath, 'utf8');
    const undo = fillDisk(own.folder.identityPath);
    try {
      await inService(async ({ pair, database }) => {
        expect(pair.finding).toBeNull();
        await pair.check();
        await pair.check();
        expect([await suspension(), pair.notices()]).toEqual([null, []]);
        await database.write([database.query.updateTable('data_folder').set({ generation: 99 })]);
        await pair.check().catch(() => undefined);
        expect(pair.notices()).toEqual([expect.stringMatching(/was replaced/)]);
        await database.write([
          database.query.updateTable('data_folder').set({ generation: JSON.parse(before).generation }),
        ]);
      });
    } finally {
      undo();
    }
    expect((await start()).finding).toBeNull();
  });
});
