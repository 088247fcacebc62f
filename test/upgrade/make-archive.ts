import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createArchive } from '#server/operate/backup/create-archive.js';
import { pathsOf, putFile } from '#server/operate/backup/fixtures/filled-folder.js';
import { insertRows } from '#server/operate/backup/fixtures/rows.js';
import { writeNewFile } from '#server/operate/backup/new-file.js';
import { sqliteSource } from '#server/operate/backup/sqlite-snapshot.js';
import { dataFolder } from '#server/storage/data-folder.js';
import { openServiceStorage } from '#server/storage/open-storage.js';

// node test/dist/upgrade/make-archive.js: writes a backup of this version, with rows that name files of every kind, into data/.

const dir = await mkdtemp(join(tmpdir(), 'lynceus-upgrade-'));
try {
  const folder = dataFolder(join(dir, 'data'));
  const { database, migrated, close } = await openServiceStorage(folder);
  const id = randomUUID;
  const ids = {
    ...{ face: id(), dataset: id(), analysis: id(), model: id(), zip: id() },
    ...{ arrived: id(), done: id(), failed: id(), clip: id() },
  };
  for (const path of pathsOf(ids)) putFile(folder, path, `content of ${path}`);
  await insertRows(database, 'upgraded', ids);
  // It names the machine.
  await database.write([database.query.updateTable('data_folder').set({ label: 'upgraded' })]);
  await close();
  const path = join(dir, 'archive.tar');
  await createArchive(folder, {
    source: sqliteSource(folder),
    withSecrets: false,
    nowMs: Date.now(),
    write: (pieces, leastBytes) => writeNewFile(path, pieces, leastBytes),
  });
  const target = new URL(`../../upgrade/data/${migrated.applied.at(-1)}.tar.gz`, import.meta.url);
  await writeFile(target, gzipSync(await readFile(path), { level: 9 }), { flag: 'wx' });
  console.log(target.pathname);
} finally {
  await rm(dir, { recursive: true, force: true });
}
