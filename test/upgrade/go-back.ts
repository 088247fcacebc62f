import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildCommit } from '#bench/rolling-upgrade/old-version.js';
import { runCommand } from '#bench/service.js';
import { startSingleService } from '#bench/single-service.js';
import { formWith } from './api-call.js';
import { drawnPerson } from './fill-folder.js';
import { folderNames, readKnownFolder, unpackFolder } from './known-folder.js';
import { startOldService } from './old-service.js';

/**
 * Upgrades each data folder of the test, restores the backup of the upgrade, and starts the version that made the folder on it:
 * node test/dist/upgrade/go-back.js. Throws where that version does not find what it made.
 */
for (const name of folderNames) {
  const known = await readKnownFolder(name);
  const { dir } = await buildCommit(known.commit, (line) => console.log(line));
  const scratch = await mkdtemp(join(tmpdir(), 'lynceus-go-back-'));
  try {
    const dataDir = join(scratch, 'data');
    await mkdir(join(scratch, 'target'));
    await unpackFolder(name, dataDir);
    const upgraded = await startSingleService({ LYNCEUS_DATA_DIR: dataDir });
    await upgraded.stop();
    const [backup = ''] = await readdir(join(dataDir, 'backups'));
    await runCommand(['restore', join(dataDir, 'backups', backup)], { LYNCEUS_DATA_DIR: dataDir });
    const modelsDir = `${dir}.models`;
    const old = await startOldService(dir, known.key, {
      ...{ LYNCEUS_DATA_DIR: dataDir, LYNCEUS_MODELS_DIR: modelsDir },
    });
    try {
      const found = await old.call<{ faces_detected: readonly { key_id: string }[] }>(
        ...([
          'POST',
          `/predict/face?model_id=${known.perception.id}`,
          formWith('image', await drawnPerson(0)),
        ] as const),
      );
      const [face] = found.faces_detected;
      const kept = await old.call<{ fileid: string }>('GET', `/api/files/${known.fileid}`);
      if (face?.key_id !== known.perception.people[0]?.keyId || kept.fileid !== known.fileid)
        throw new Error(`${name}: the version that made it does not find what it made.`);
      console.log(`${name}: upgraded, restored, and served by ${known.commit.slice(0, 8)} again`);
    } finally {
      await old.stop();
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
