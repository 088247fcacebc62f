import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultModelsDir } from '@lynceus/engine';
import { buildCommit } from '#bench/rolling-upgrade/old-version.js';
import { openConnection } from '#server/storage/sqlite/connection.js';
import { appliedMigrations } from '#server/storage/sqlite/migrate.js';
import { fillFolder } from './fill-folder.js';
import { type KnownFolder, packFolder } from './known-folder.js';
import { startOldService } from './old-service.js';

/**
 * Makes the data folders of the test, each with the version of its time: node test/dist/upgrade/make-folders.js [COMMIT …].
 * Earlier ones had other words on the wire.
 */
const commits = {
  '334b0a91': { images: 'pictures', options: 'told', keep: 'LYNCEUS_KEEP_PICTURES' },
  b16d0f16: { images: 'images', options: 'options', keep: 'LYNCEUS_KEEP_IMAGES' },
  dca080e0: { images: 'images', options: 'options', keep: 'LYNCEUS_KEEP_IMAGES' },
} as const;

const log = (line: string) => console.log(line);
const key = 'lyn_the-key-of-the-tests-of-upgrades-alone';
const chosen = process.argv.slice(2);

for (const [named, { keep, ...words }] of Object.entries(commits)) {
  if (chosen.length > 0 && !chosen.includes(named)) continue;
  const { commit, dir } = await buildCommit(named, log);
  // Beside it and kept: what this version makes of the models is of no use to another.
  const modelsDir = `${dir}.models`;
  const present =
    process.env['LYNCEUS_MODELS_DIR'] || defaultModelsDir({ env: process.env, dataDir: 'data' });
  await cp(join(present, 'sources'), join(modelsDir, 'sources'), { recursive: true, force: false });
  const scratch = await mkdtemp(join(tmpdir(), 'lynceus-old-'));
  const dataDir = join(scratch, 'data');
  try {
    const service = await startOldService(dir, key, {
      LYNCEUS_DATA_DIR: dataDir,
      LYNCEUS_MODELS_DIR: modelsDir,
      [keep]: 'true',
    });
    const made = await fillFolder(service, words).finally(() => service.stop());
    const migrations = readMigrations(join(dataDir, 'lynceus.db'));
    const name = String(migrations.at(-1));
    await packFolder(name, dataDir);
    const known: KnownFolder = { commit, key, migrations, ...made };
    await writeFile(
      new URL(`../../upgrade/data/${name}.json`, import.meta.url),
      `${JSON.stringify(known, null, 2)}\n`,
    );
    log(`${name} of ${commit.slice(0, 8)}`);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

function readMigrations(path: string): string[] {
  const connection = openConnection(path, { access: 'write', wal: true, busyTimeoutMs: 1000 });
  try {
    return [...appliedMigrations(connection)];
  } finally {
    connection.close();
  }
}
