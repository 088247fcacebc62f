import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { walkFolders } from './walk-folders.js';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'lynceus-walk-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function walked(path: string, except?: string): Promise<readonly string[]> {
  const found: string[] = [];
  const options = { isRecursive: true, ...(except === undefined ? {} : { except }) };
  const onUnreadable = (unreadable: string, error: unknown) => found.push(`${unreadable}: ${String(error)}`);
  for await (const folder of walkFolders(path, { ...options, onUnreadable })) found.push(folder.path);
  return found.map((each) => each.slice(root.length));
}

test('data folders of services are left out, also where one is named or lies above what is', async () => {
  for (const path of ['photos', 'own/blobs/aa', 'other/blobs/aa']) {
    await mkdir(join(root, path), { recursive: true });
  }
  await writeFile(join(root, 'other', 'installation.json'), '{}');
  const own = join(root, 'own');
  expect(await walked(root, own)).toEqual(['', '/photos']);
  expect(await walked(own, own)).toEqual([]);
  expect(await walked(join(own, 'blobs', 'aa'), own)).toEqual([]);
  expect(await walked(join(root, 'other'), own)).toEqual([]);
});

test.runIf(process.platform === 'linux')('a name that is not UTF-8 is reported', async () => {
  const dir = join(root, 'names');
  await mkdir(dir);
  await writeFile(Buffer.concat([Buffer.from(`${dir}/caf`), Buffer.from([0xe9]), Buffer.from('.jpg')]), '');
  await writeFile(join(dir, 'café.jpg'), '');
  const reported: string[] = [];
  const onUnreadable = (path: string, error: unknown) => reported.push(`${path} ${String(error)}`);
  for await (const { names } of walkFolders(dir, { isRecursive: false, onUnreadable })) {
    expect(names).toEqual(['café.jpg']);
  }
  expect(reported).toEqual([expect.stringContaining('its name is not UTF-8: rename it')]);
});
