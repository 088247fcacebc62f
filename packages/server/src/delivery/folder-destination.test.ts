import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createDestination } from './create-destination.js';
import { calm, makeDelivery, makeDeps } from './fixtures/deliveries.js';
import { emptyFolder, lookInto } from './fixtures/folder-remote-server.js';
import { remoteFolderContract } from './fixtures/remote-folder-contract.js';
import { parseAllowedFolders } from './folder-destination.js';

let scratch: string;
let root: string;
beforeAll(async () => {
  scratch = await realpath(await mkdtemp(join(tmpdir(), 'folder-destination-')));
  root = join(scratch, 'allowed');
  await mkdir(join(scratch, 'outside'));
  await mkdir(root);
});
beforeEach(() => emptyFolder(root));
afterAll(() => rm(scratch, { recursive: true, force: true }));

remoteFolderContract(true, () => ({
  scratch,
  remote: {
    settings: { kind: 'folder', folder: root },
    secrets: {},
    deps: { allowedFolders: [root] },
    ...lookInto(root),
  },
}));

const openAt = (folder: string) =>
  createDestination({ kind: 'folder', folder }, {}, makeDeps({ allowedFolders: [root] }));

test.each(['outside', 'allowed-not', 'allowed/../outside', ''])(
  'rejects the folder %j, which is outside the allowed ones',
  async (path) => {
    const delivery = await makeDelivery(scratch, { 'a.jpg': 'image' });
    await expect(openAt(join(scratch, path)).deliver(delivery, calm)).rejects.toMatchObject({
      code: 'not-allowed',
    });
    expect(await readdir(join(scratch, 'outside'))).toEqual([]);
  },
);

test('a link that leads out of the allowed folder is rejected at every level; a link within it is followed', async () => {
  await mkdir(join(root, 'real'));
  await symlink(join(scratch, 'outside'), join(root, 'out'));
  await symlink(join(root, 'real'), join(root, 'within'));
  const delivery = await makeDelivery(scratch, { 'a.jpg': 'image' });
  await expect(openAt(join(root, 'out')).deliver(delivery, calm)).rejects.toMatchObject({
    code: 'not-allowed',
  });
  const below = { ...delivery, folders: ['out', 'new'] };
  await expect(openAt(root).deliver(below, calm)).rejects.toThrow('leads out');
  expect(await readdir(join(scratch, 'outside'))).toEqual([]);
  await openAt(root).deliver({ ...delivery, folders: ['within'] }, calm);
  expect(await readdir(join(root, 'real'))).toEqual(['a.jpg']);
});

test('a link with the name of the file is not followed', async () => {
  await symlink(join(scratch, 'outside', 'planted'), join(root, 'a.jpg'));
  const delivery = await makeDelivery(scratch, { 'a.jpg': 'image' });
  await openAt(root).deliver(delivery, calm);
  expect(await lookInto(root).readAll()).toEqual({ 'a (2).jpg': 'image' });
  expect(await readdir(join(scratch, 'outside'))).toEqual([]);
});

test('names that lead out of the folder are rejected', async () => {
  for (const name of ['..', 'a/../../b', 'x\0y', '']) {
    const delivery = await makeDelivery(scratch, { [name]: 'image' });
    await expect(openAt(root).deliver(delivery, calm)).rejects.toMatchObject({ code: 'settings' });
  }
  const delivery = await makeDelivery(scratch, { 'a.jpg': 'image' }, { folders: ['..'] });
  await expect(openAt(root).deliver(delivery, calm)).rejects.toMatchObject({ code: 'settings' });
});

test('a missing folder is reported with the hint to mount it', async () => {
  const missing = join(scratch, 'unmounted');
  const destination = createDestination(
    { kind: 'folder', folder: missing },
    {},
    makeDeps({ allowedFolders: [missing] }),
  );
  await expect(destination.test(calm)).rejects.toThrow('must create or mount it');
});

test('a file that has changed on this machine is not delivered', async () => {
  const delivery = await makeDelivery(scratch, { 'a.jpg': 'image' });
  const changed = {
    ...delivery,
    files: delivery.files.map((file) => ({ ...file, sha256: '00'.repeat(32) })),
  };
  await expect(openAt(root).deliver(changed, calm)).rejects.toMatchObject({ code: 'mismatch' });
  expect(await readdir(root)).toEqual([]);
});

test('a full disk is reported, and no incomplete file remains', async (context) => {
  const small = join(scratch, 'small');
  await mkdir(small);
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', small]).status !== 0) {
    console.warn('skipped: a small disk cannot be mounted here');
    context.skip();
  }
  try {
    const delivery = await makeDelivery(scratch, { 'a.jpg': 'x'.repeat(1024 * 1024) });
    const destination = createDestination(
      { kind: 'folder', folder: small },
      {},
      makeDeps({ allowedFolders: [small] }),
    );
    await expect(destination.deliver(delivery, calm)).rejects.toMatchObject({ code: 'full' });
    expect(await readdir(small)).toEqual([]);
  } finally {
    spawnSync('umount', [small]);
  }
});

test('dropFolders is a list of absolute paths, and the error names an invalid entry', () => {
  expect(parseAllowedFolders('')).toEqual([]);
  expect(parseAllowedFolders(' /srv/images/, /mnt/desk ')).toEqual(['/srv/images', '/mnt/desk']);
  expect(() => parseAllowedFolders('/srv, images')).toThrow('dropFolders: images is not an absolute path');
});
