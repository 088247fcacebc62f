import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dataFolder } from '../data-folder.js';
import { openServiceStorage } from '../open-storage.js';

test('what was deleted can no longer be read out of the file of the database', async () => {
  const folder = dataFolder(await mkdtemp(join(tmpdir(), 'lynceus-deleted-')));
  const value = 'seven swans a-swimming, '.repeat(200);
  const holds = async () => (await readFile(folder.databasePath)).includes('seven swans');
  const change = async (statement: 'insert' | 'delete') => {
    const { database, close } = await openServiceStorage(folder);
    const { query } = database;
    await database.write([
      statement === 'insert'
        ? query.insertInto('installation_key').values({ id: 1, check_value: value })
        : query.deleteFrom('installation_key'),
    ]);
    await close();
  };
  try {
    await change('insert');
    expect(await holds()).toBe(true);
    await change('delete');
    expect(await holds()).toBe(false);
  } finally {
    await rm(folder.dir, { recursive: true });
  }
});
