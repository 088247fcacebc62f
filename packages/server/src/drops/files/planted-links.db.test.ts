import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openWorkingDrop, type WorkingDrop } from '../fixtures/working-drop.js';
import { type FolderFileBytes, openFolderFileBytes } from './folder-file-bytes.js';

const id = 'ab345678-photograph';
let dir: string;
let spool: string;
let outside: string;
let bytes: FolderFileBytes;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lynceus-links-'));
  [spool, outside] = [join(dir, 'drops'), join(dir, 'outside')];
  await mkdir(outside);
  await writeFile(join(outside, id), 'a secret');
  bytes = await openFolderFileBytes(spool, { reserveBytes: 0 });
});
afterEach(() => rm(dir, { recursive: true }));

const plant = {
  'as a file': async () => {
    await mkdir(join(spool, 'ab'));
    await symlink(join(outside, id), join(spool, 'ab', id));
  },
  'as a folder': () => symlink(outside, join(spool, 'ab')),
};

describe.each(['as a file', 'as a folder'] as const)('a link that was laid in the spool %s', (way) => {
  beforeEach(() => plant[way]());

  test('is not written through, nor read, measured, synced or handed to a program', async () => {
    await expect(bytes.open(id, 0)).rejects.toThrow(/link/);
    expect(await bytes.read(id, 0)).toBeNull();
    expect(await bytes.sizeOf(id)).toBe(0);
    await expect(bytes.sync(id)).rejects.toThrow(/link/);
    await expect(bytes.pathOf(id)).rejects.toThrow(/link/);
    expect(await readFile(join(outside, id), 'utf8')).toBe('a secret');
  });

  test('leads no sweep outside, and no removal', async () => {
    const found: string[] = [];
    for await (const each of bytes.list()) found.push(each.id);
    expect(found).toEqual([]);
    await bytes.remove(id);
    expect(await readFile(join(outside, id), 'utf8')).toBe('a secret');
    await openFolderFileBytes(spool, { reserveBytes: 0 });
    expect(await readdir(outside)).toEqual([id]);
  });
});

describe('a link in the place of a file that has arrived', () => {
  let working: WorkingDrop;
  beforeEach(async () => {
    working = await openWorkingDrop({ retryForMs: 1 });
  });
  afterEach(() => working.close());

  test('is never delivered: the file fails instead, and its bytes cannot be fetched', async () => {
    await working.stopWork();
    const { drop, folders } = await working.makeDrop({ settings: { otherFiles: 'deliver' } });
    const upload = await folders.receive(['incoming', 'notes.txt'], { at: 'begin' });
    await upload.write(Buffer.from('mine'));
    await upload.finish();
    const [row] = await working.database.query.selectFrom('drop_file').selectAll().execute();
    const path = join(working.dir, 'drops', row?.id.slice(0, 2) ?? '', row?.id ?? '');
    expect(await readFile(path, 'utf8')).toBe('mine');
    await rm(path);
    await symlink(join(outside, id), path);
    await expect(folders.read(['incoming', 'notes.txt'], 0)).rejects.toThrow(/gone/);
    await working.startWork();
    const rows = await working.settled(drop.id);
    expect(rows.find((each) => each.id === row?.id)?.state).toBe('failed');
    expect(await readdir(working.target)).toEqual([]);
  });
});
