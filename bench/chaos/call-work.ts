import { readFile } from 'node:fs/promises';
import { dataFolder } from '#server/storage/data-folder.js';
import { openCommandStorage } from '#server/storage/open-storage.js';
import type { Ledger, Payer } from '../crash/ledger.js';
import { operationsOf } from '../crash/operations.js';
import { describeLedger } from '../crash/rounds.js';
import { startOperations } from '../crash/run-operations.js';
import { makePerception } from '../face-index/make-perception.js';
import { readBucket } from './bucket-reader.js';
import { checkCalls } from './check.js';
import { firstKey, type Installation, makeKey, replicaNames } from './installation.js';
import type { ChaosOptions } from './rounds.js';
import type { Work } from './work.js';

const samplePath = new URL('../../../packages/server/assets/sample.jpg', import.meta.url);

/**
 * Predictions that are counted, keys, results and faces.
 * @param clients of each replica
 */
export async function prepareCallWork(
  installation: Installation,
  { clients, searches, ledger }: Pick<ChaosOptions, 'clients' | 'searches'> & { readonly ledger: Ledger },
): Promise<Work> {
  const { replicas, store } = installation;
  const keys: Record<Payer, string> = {
    unlimited: firstKey,
    limited: await makeKey(installation, 'limited'),
  };
  const modelId = await makeModel(installation);
  const image = await readFile(samplePath);
  const images = readBucket(store, 'faces');
  return {
    start() {
      const stage = { keys, image, modelId, ledger };
      const loads = replicaNames.map((name) =>
        startOperations(replicas[name], stage, { clients, operations: operationsOf(undefined) }),
      );
      return { over: async () => void (await Promise.all(loads.map((load) => load.over()))) };
    },
    check: ({ storage }) => checkCalls(installation, storage, { keys, modelId, ledger, searches, images }),
    describe: () => describeLedger(ledger),
    close: async () => images.close(),
  };
}

/** A perception of the first account. */
async function makeModel({ databaseUrl, settings }: Installation): Promise<number> {
  const storage = await openCommandStorage(dataFolder(settings['LYNCEUS_DATA_DIR'] ?? ''), { databaseUrl });
  try {
    return (await makePerception(storage.database)).perceptionId;
  } finally {
    await storage.close();
  }
}
