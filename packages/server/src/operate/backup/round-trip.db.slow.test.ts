import { createReadStream, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readSweepSuspension } from '../../storage/sweep-suspension.js';
import { backUp, restoreFrom, sourceOf } from './fixtures/archiving.js';
import { type FilledFolder, filesIn, openFolder, putFile } from './fixtures/filled-folder.js';
import { secretFiles } from './plan-archive.js';
import { verifyArchive } from './verify-archive.js';

let here: FilledFolder;
const opened: FilledFolder[] = [];
const open = async () => {
  const folder = await openFolder();
  opened.push(folder);
  return folder;
};
beforeEach(async () => {
  here = await open();
});
afterEach(async () => {
  for (const each of opened.splice(0)) await each.drop();
});

test('an archive restored on an empty machine has every row and every file that rows name', async () => {
  await here.fill('one');
  await here.fill('two');
  if (!existsSync(here.folder.identityPath)) putFile(here.folder, 'installation.json', '{"id":"the same"}');
  const before = await here.state();
  // What nobody names, or what can be made again, stays out.
  putFile(here.folder, 'blobs/faces/aa/aaaaaaaa-orphan', 'nobody names it');
  putFile(here.folder, 'blobs/faces/writing/half', 'half');
  putFile(here.folder, 'thumbnails/a/b', 'small');
  putFile(here.folder, 'quarantine/x', 'away');
  const { path, header, end } = await backUp(here);
  const identity: unknown = JSON.parse(readFileSync(here.folder.identityPath, 'utf8'));
  expect([header.installation, header.files]).toEqual([identity, 27]);
  expect([end.missing.count, end.deletedMeanwhile.count]).toEqual([0, 0]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(existsSync(here.folder.backupStagingDir)).toBe(false);
  expect(await verifyArchive(createReadStream(path))).toEqual({ header, end });

  const there = await open();
  rmSync(there.folder.databasePath, { force: true });
  await restoreFrom(there, createReadStream(path));
  expect(JSON.parse(readFileSync(there.folder.identityPath, 'utf8'))).toEqual(identity);
  expect(await there.state()).toEqual(before);
  expect(await readSweepSuspension(there.folder, Date.now())).not.toBeNull();
  expect(existsSync(there.folder.restoringDir)).toBe(false);
  expect(existsSync(there.folder.restoreMarkerPath)).toBe(false);
});

test('an older archive takes the place of what is there, which is kept aside whole and can be restored', async () => {
  await here.fill('old');
  const old = await here.state();
  const archive = await backUp(here);
  await here.fill('new');
  putFile(here.folder, 'features/f', 'of what is there no more');
  const newer = await here.state();
  const second = await backUp(here, 'newer.tar');
  const { replacedDir } = await restoreFrom(here, createReadStream(archive.path));
  expect(await here.state()).toEqual(old);
  expect(existsSync(here.folder.featuresDir)).toBe(false);
  expect(filesIn({ dir: String(replacedDir) })).toEqual(newer.files);
  expect(readdirSync(String(replacedDir))).toContain(
    here.testDatabase.databaseUrl ? 'lynceus.dump' : 'lynceus.db',
  );
  await restoreFrom(here, createReadStream(second.path));
  expect(await here.state()).toEqual(newer);
});

test('a database that is gone comes back with its files', async () => {
  await here.fill('one');
  const before = await here.state();
  const { path } = await backUp(here);
  if (here.testDatabase.databaseUrl === '') rmSync(here.folder.databasePath);
  else await here.use((database) => database.write([database.query.deleteFrom('face_image')]));
  rmSync(here.folder.facesDir, { recursive: true });
  await restoreFrom(here, createReadStream(path));
  expect(await here.state()).toEqual(before);
});

test('secrets are in an archive only where that is asked for, and replace those that are there', async () => {
  for (const path of secretFiles) putFile(here.folder, path, `precious ${path}`);
  await here.fill('one');
  const without = await backUp(here, 'without.tar');
  expect(readFileSync(without.path).includes('precious')).toBe(false);
  const withThem = await backUp(here, 'with.tar', { withSecrets: true });
  expect(withThem.end.contents['secret']).toMatchObject({ files: secretFiles.length });

  const there = await open();
  putFile(there.folder, 'secret-key', 'another');
  const { hasKey } = await restoreFrom(there, createReadStream(without.path));
  expect([hasKey, readFileSync(there.folder.installationKeyPath, 'utf8')]).toEqual([true, 'another']);
  await restoreFrom(there, createReadStream(withThem.path));
  for (const path of secretFiles) {
    expect(readFileSync(join(there.folder.dir, path), 'utf8')).toBe(`precious ${path}`);
  }
});

test('a file that the database names and that is lost is reported, and the rest is whole', async () => {
  const paths = await here.fill('one');
  const lost = paths.filter((path) => path.startsWith('blobs/faces') || path.endsWith('model.onnx'));
  for (const path of lost) rmSync(join(here.folder.dir, path));
  const { path, end } = await backUp(here);
  expect(end.missing).toEqual({ count: 2, paths: [...lost].sort() });
  expect((await verifyArchive(createReadStream(path))).end.missing.count).toBe(2);
});

test('files deleted after the snapshot are in the archive, and those deleted before are named as deleted', async () => {
  const [early, late] = [await here.fill('early'), await here.fill('late')];
  const remove = async (name: string, paths: readonly string[]) => {
    // On a connection of its own, as a service beside the backup.
    await here.use(async (database) => {
      for (const table of ['face_image', 'dataset_image'] as const) {
        const account = database.query.selectFrom('account').select('id').where('name', '=', name);
        await database.write([database.query.deleteFrom(table).where('account_id', 'in', account)]);
      }
    });
    for (const path of paths.filter((each) => /faces|datasets/.test(each)))
      rmSync(join(here.folder.dir, path));
  };
  const source = sourceOf(here.folder, here.testDatabase);
  const gone = early.filter((each) => /faces|datasets/.test(each));
  for (const path of gone) rmSync(join(here.folder.dir, path));
  const { end, header } = await backUp(here, 'archive.tar', {
    source: {
      ...source,
      async take() {
        const snapshot = await source.take();
        await remove('early', []);
        await remove('late', late);
        return snapshot;
      },
    },
  });
  expect(end.deletedMeanwhile).toEqual({ count: 2, paths: [...gone].sort() });
  expect(end.missing.count).toBe(0);
  expect(end.contents['face-image']?.files).toBe(1);
  expect(header.files).toBe(24 + (existsSync(here.folder.identityPath) ? 1 : 0));
});

test('a file that a client continues to send is archived as it was, and one that was restarted is named', async () => {
  const [paths, again] = [await here.fill('one'), await here.fill('two')];
  const arrived = (of: readonly string[]) =>
    join(here.folder.dir, String(of.filter((path) => path.startsWith('drops/'))[0]));
  const source = sourceOf(here.folder, here.testDatabase);
  const { path, end } = await backUp(here, 'archive.tar', {
    source: {
      ...source,
      async take() {
        putFile(here.folder, String(again.find((each) => each.startsWith('drops/'))), '');
        return source.take();
      },
    },
    async write(pieces) {
      // Appended while the archive is written.
      putFile(here.folder, String(paths.find((each) => each.startsWith('drops/'))), 'x'.repeat(1000));
      const { writeNewFile } = await import('./new-file.js');
      await writeNewFile(join(here.dir, 'archive.tar'), pieces, 0);
    },
  });
  expect(end.deletedMeanwhile.paths.map((each) => join(here.folder.dir, each))).toEqual([arrived(again)]);
  await verifyArchive(createReadStream(path));
  const received = String(paths.find((each) => each.startsWith('drops/')));
  expect(readFileSync(path).includes(`one ${received}`)).toBe(true);
});

test('nothing is touched where an archive cannot be restored', async () => {
  await here.fill('one');
  const { path } = await backUp(here);
  const there = await open();
  await there.fill('kept');
  const before = await there.state();
  const bytes = readFileSync(path);
  const damaged = Buffer.from(bytes);
  damaged.writeUInt8(damaged.readUInt8(bytes.length / 2) ^ 1, bytes.length / 2);
  const pieces = async function* (all: Buffer) {
    yield all;
  };
  const other = { mayReplaceOther: true };
  await expect(restoreFrom(there, pieces(bytes))).rejects.toThrow(
    /of the installation .*--other-installation/s,
  );
  await expect(restoreFrom(there, pieces(damaged), other)).rejects.toMatchObject({ code: 'damaged' });
  await expect(restoreFrom(there, pieces(bytes.subarray(0, -1024)), other)).rejects.toThrow(/cut short/);
  const full = {
    require: () => Promise.reject(new Error('no room')),
    guard: (all: AsyncIterable<Uint8Array>) => all,
  };
  await expect(restoreFrom(there, pieces(bytes), { ...other, disk: full })).rejects.toThrow('no room');
  expect(await there.state()).toEqual(before);
  expect(existsSync(there.folder.restoringDir)).toBe(false);
  await there.use(async () => {
    await expect(restoreFrom(there, pieces(bytes), other)).rejects.toMatchObject({ code: 'locked' });
  });
  // Asked for, it takes the place of the other installation.
  await restoreFrom(there, pieces(bytes), other);
  expect((await there.state()).files).toEqual((await here.state()).files);
});

test('an archive is restored neither into the folder nor into the database of another installation', async () => {
  await here.fill('one');
  const { path } = await backUp(here);
  const there = await open();
  await there.use(async () => {});
  const refused = /Nothing was restored: the archive is of the installation/;
  await expect(restoreFrom(there, createReadStream(path))).rejects.toThrow(refused);
  // Its folder is lost, and its database, which is elsewhere, is not.
  rmSync(there.folder.identityPath);
  if (there.testDatabase.databaseUrl === '') return;
  await expect(restoreFrom(there, createReadStream(path))).rejects.toThrow(refused);
});
