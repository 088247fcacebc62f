import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openQuarantine, type Quarantine, type QuarantinedItem } from './quarantine.js';

const nowMs = Date.parse('2026-01-31T12:00:00Z');
let root: string;
let dir: string;
let quarantine: Quarantine;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'lynceus-quarantine-'));
  dir = join(root, 'quarantine');
  quarantine = openQuarantine(dir);
});
afterEach(() => rm(root, { recursive: true }));

async function makeFile(id: string, content = id) {
  const path = join(root, id);
  await writeFile(path, content);
  return { id, path, accountId: null };
}
async function listed(): Promise<QuarantinedItem[]> {
  const items: QuarantinedItem[] = [];
  for await (const item of quarantine.list()) items.push(item);
  return items;
}

test('a file moves with its bytes and its time, by day, store and owner', async () => {
  const item = await makeFile('file-of-a-face');
  await utimes(item.path, 1000, 1000);
  expect(await quarantine.move('faces', [item], nowMs)).toBe(1);
  expect(
    await quarantine.move('drops', [{ ...(await makeFile('file-of-a-drop')), accountId: 7 }], nowMs),
  ).toBe(1);
  const path = join(dir, '2026-01-31', 'faces', 'unknown', 'file-of-a-face');
  expect([await readFile(path, 'utf8'), (await stat(path)).mtimeMs]).toEqual(['file-of-a-face', 1_000_000]);
  expect((await listed()).map(({ store, accountId }) => [store, accountId]).sort()).toEqual([
    ['drops', 7],
    ['faces', null],
  ]);
});

test('a folder moves whole, and back', async () => {
  const path = join(root, 'model-version');
  await mkdir(path);
  await writeFile(join(path, 'model.onnx'), 'a graph');
  await quarantine.move('models', [{ id: 'model-version', path, accountId: 3 }], nowMs);
  await expect(stat(path)).rejects.toMatchObject({ code: 'ENOENT' });
  const [item] = await listed();
  if (!item) throw new Error('nothing is in quarantine');
  expect(await quarantine.restore([{ item, path: join(root, 'new', 'shard', 'model-version') }])).toBe(1);
  expect(await readFile(join(root, 'new', 'shard', 'model-version', 'model.onnx'), 'utf8')).toBe('a graph');
  // No empty folder is left.
  expect(await readdir(dir)).toEqual([]);
});

test('nothing is overwritten, in quarantine or in the store', async () => {
  await quarantine.move('faces', [await makeFile('namesake', 'first')], nowMs);
  const second = await makeFile('namesake', 'second');
  expect(await quarantine.move('faces', [second], nowMs)).toBe(0);
  expect(await readFile(second.path, 'utf8')).toBe('second');
  const [item] = await listed();
  if (!item) throw new Error('nothing is in quarantine');
  expect(await quarantine.restore([{ item, path: second.path }])).toBe(0);
  expect([await readFile(second.path, 'utf8'), await readFile(item.path, 'utf8')]).toEqual([
    'second',
    'first',
  ]);
});

test('what is gone meanwhile is passed over', async () => {
  expect(
    await quarantine.move(
      'faces',
      [{ id: 'gone-file', path: join(root, 'gone-file'), accountId: null }],
      nowMs,
    ),
  ).toBe(0);
  const item = await makeFile('file-of-a-face');
  await quarantine.move('faces', [item], nowMs);
  const items = await listed();
  await quarantine.delete(items);
  await quarantine.delete(items);
  expect(await listed()).toEqual([]);
});

test('what is known to be of an account is deleted with it, and nothing else', async () => {
  for (const accountId of [7, 77, null]) {
    await quarantine.move('drops', [{ ...(await makeFile(`file-of-${accountId}`)), accountId }], nowMs);
  }
  expect(await quarantine.deleteOwned(7)).toBe(1);
  expect((await listed()).map(({ id }) => id).sort()).toEqual(['file-of-77', 'file-of-null']);
});

test('what others laid into it is no item, and a link is deleted without what it leads to', async () => {
  await mkdir(join(dir, '2026-01-31', 'kittens', 'unknown'), { recursive: true });
  await mkdir(join(dir, '2026-01-31', 'faces', 'unknown'), { recursive: true });
  await writeFile(join(dir, '2026-01-31', 'faces', 'unknown', '..hidden'), 'x');
  await writeFile(join(dir, 'notes.txt'), 'x');
  expect(await listed()).toEqual([]);
  const kept = await makeFile('kept-elsewhere');
  await symlink(kept.path, join(dir, '2026-01-31', 'faces', 'unknown', 'link-to-it'));
  await quarantine.delete(await listed());
  expect(await readFile(kept.path, 'utf8')).toBe('kept-elsewhere');
});
