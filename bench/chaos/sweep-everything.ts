import { setTimeout as sleep } from 'node:timers/promises';
import { sweptChunks } from '#server/drops/files/chunks/swept-chunks.js';
import { dataFolder } from '#server/storage/data-folder.js';
import type { Database } from '#server/storage/database.js';
import { openCommandStorage } from '#server/storage/open-storage.js';
import { storeNames } from '#server/storage/quarantine/store-names.js';
import type { SweptStore } from '#server/storage/quarantine/sweep-store.js';
import { sweptFiles } from '#server/storage/quarantine/swept-files.js';
import { sweptImports } from '#server/training/datasets/import/import-job.js';
import { runCommand } from '../service.js';
import { readBucket } from './bucket-reader.js';
import { type Installation, replicaNames } from './installation.js';

/** Objects without a row are kept for an hour, by the clock of the database. */
const aheadSeconds = 2 * 3600;
const sweptWithinMs = 120_000;

/**
 * Starts the replicas when everything is two hours old: the one that leads moves to quarantine what no row names.
 * Answers descriptions of what it left, and how many objects it moved.
 */
export async function sweepEverything(
  installation: Installation,
): Promise<{ readonly findings: string[]; readonly removed: number }> {
  const { databaseUrl, databaseClock, settings, replicas, cluster } = installation;
  for (const name of replicaNames) await replicas[name].service().stop();
  const storage = await openCommandStorage(dataFolder(settings['LYNCEUS_DATA_DIR'] ?? ''), { databaseUrl });
  const before = (await findUnnamed(installation, storage.database)).length;
  await storage.close();
  await cluster().stop('fast');
  await databaseClock?.setAhead(aheadSeconds);
  await cluster().start();
  for (const name of replicaNames) await replicas[name].start();
  const later = await openCommandStorage(dataFolder(settings['LYNCEUS_DATA_DIR'] ?? ''), { databaseUrl });
  try {
    const deadline = performance.now() + sweptWithinMs;
    for (;;) {
      // A small installation has a large share of orphans after so many faults: an operator confirms them. Refused where none
      // wait for it; what the sweep then leaves is found below.
      for (const store of storeNames)
        await runCommand(['orphans', 'confirm', store], settings).catch(() => '');
      const left = await findUnnamed(installation, later.database);
      if (left.length === 0 || performance.now() > deadline) {
        return {
          findings: left.map((name) => `${name} has no row and was not swept`),
          removed: before - left.length,
        };
      }
      await sleep(1000);
    }
  } finally {
    await later.close();
  }
}

/** Names of objects that no row names. */
async function findUnnamed({ store }: Installation, database: Database): Promise<readonly string[]> {
  const unnamed: string[] = [];
  for (const name of storeNames) {
    const bucket = readBucket(store, name);
    const ids: string[] = [];
    for await (const { id } of bucket.list()) ids.push(id);
    bucket.close();
    const named = ids.length === 0 ? new Set<string>() : await naming(name, database).findNamed(ids);
    unnamed.push(...ids.filter((id) => !named.has(id)).map((id) => `${name}/${id}`));
  }
  return unnamed;
}

function naming(name: SweptStore['name'], database: Database): Pick<SweptStore, 'findNamed'> {
  const nowhere = { list: async function* () {}, placeOf: (id: string) => id };
  if (name === 'imports') return sweptImports(database, nowhere);
  if (name === 'drops') return sweptChunks(database, nowhere);
  return sweptFiles(name, database, nowhere);
}
