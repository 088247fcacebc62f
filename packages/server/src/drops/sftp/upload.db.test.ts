import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DropFolders, DropPath } from '../drop-folders.js';
import { type DropTrial, openDropTrial, put, putCut } from '../fixtures/drop-trial.js';
import { createMemoryFolders } from '../servers/fixtures/memory-folders.js';
import { openUpload } from './upload.js';

let trial: DropTrial;
beforeAll(async () => {
  trial = await openDropTrial();
});
afterAll(() => trial.close());

/** Opens what is there without truncation. */
async function reopen(folders: DropFolders, path: DropPath) {
  return openUpload({
    ...{ folders, path, existing: await folders.find(path), truncates: false, appends: false },
    ...{ knownSize: undefined, heldBudgets: [], onEnd: () => undefined },
  });
}

async function historyOf(name: string) {
  const row = (await trial.rows()).find((each) => each.name === name);
  const events = await trial.database.query
    .selectFrom('drop_event')
    .select('what')
    .where('file_id', '=', row?.id ?? '')
    .orderBy('at')
    .execute();
  return { state: row?.state, bytes: row?.size_bytes, events: events.map(({ what }) => what) };
}

test.each([
  ['whole.jpg', 'all of it'],
  ['empty.jpg', ''],
])('a part that is closed without a write has arrived: %s', async (name, content) => {
  const { folders } = await trial.makeDrop();
  const path = ['incoming', name];
  await putCut(folders, path, content);
  await (await reopen(folders, path)).finish();
  expect(await historyOf(name)).toMatchObject({ state: 'arrived', bytes: content.length });
});

test('a file that has arrived stays as it is; one that another transfer sends is refused', async () => {
  const { folders } = await trial.makeDrop();
  const there = ['incoming', 'there.jpg'];
  await put(folders, there, 'all of it');
  await (await reopen(folders, there)).finish();
  expect(await historyOf('there.jpg')).toMatchObject({ state: 'arrived', events: ['arrived'] });
  const path = ['incoming', 'coming.jpg'];
  const coming = await folders.receive(path, { at: 'begin' });
  await coming.sync();
  await expect((await reopen(folders, path)).finish()).rejects.toThrow(/under way/);
  await coming.cut();
});

test('after a sync that failed, the file has not arrived', async () => {
  const folders = createMemoryFolders();
  const failing: DropFolders = {
    ...folders,
    receive: async (...start) => ({
      ...(await folders.receive(...start)),
      sync: () => Promise.reject(new Error('EIO')),
    }),
  };
  const path = ['incoming', 'a.jpg'];
  const upload = await reopen(failing, path);
  await expect(upload.sync()).rejects.toThrow('EIO');
  await expect(upload.finish()).rejects.toThrow('EIO');
  expect([folders.arrived.length, folders.cut.length]).toEqual([0, 1]);
});
