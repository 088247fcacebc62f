import { createHash } from 'node:crypto';
import type { Storage } from '#server/storage/open-storage.js';
import { findCustomLosses } from '../crash/custom/check-custom.js';
import { datasetOperations } from '../crash/custom/dataset-operations.js';
import { createCustomLedger, unfinished } from '../crash/custom/ledger.js';
import { countEnded } from '../crash/custom/rounds.js';
import type { CustomStage } from '../crash/custom/stage.js';
import { readStoredCustom } from '../crash/custom/stored-custom.js';
import { makeTrainingImages } from '../crash/custom/training-images.js';
import { trainingOperations } from '../crash/custom/training-operations.js';
import { versionOperations } from '../crash/custom/version-operations.js';
import { startOperations } from '../crash/run-operations.js';
import { createVisitor } from '../load/visitor.js';
import { type BucketReader, readBucket } from './bucket-reader.js';
import { type Installation, makeKey } from './installation.js';
import type { Work, WorkCheck } from './work.js';

/** Changes of datasets, imports, uploads of models and training runs: a client each, which goes to another replica in each round. */
export async function prepareCustomWork(installation: Installation): Promise<Work> {
  const { replicas, store } = installation;
  const key = await makeKey(installation, 'custom');
  const models = readBucket(store, 'models');
  const datasets = readBucket(store, 'datasets');
  const datasetId = await makeTrainingImages(replicas.one, key);
  const common = {
    key,
    areFaultsExpected: true,
    // A version is one object, which never changes.
    digestVersion: (uid: string) => digestOf(models, uid),
  };
  const ofDatasets = { ...common, ledger: createCustomLedger() };
  const ofVersions = { ...common, ledger: createCustomLedger() };
  const ofTrainings = { ...common, ledger: createCustomLedger(), datasetId };
  const all = [ofDatasets, ofVersions, ofTrainings];
  return {
    start(round) {
      const at = (client: number) => ((round + client) % 2 === 0 ? replicas.one : replicas.two);
      const loads = [
        startOperations(at(0), ofDatasets, { clients: 1, operations: datasetOperations }),
        startOperations(at(1), ofVersions, { clients: 1, operations: versionOperations }),
        startOperations(at(2), ofTrainings, { clients: 1, operations: trainingOperations }),
      ];
      return { over: async () => void (await Promise.all(loads.map((load) => load.over()))) };
    },
    async check({ reader, storage, waitMs }) {
      const visitor = createVisitor(replicas[reader].url);
      const found: string[] = [];
      for (const stage of all) {
        // A fault may have ended what was running.
        for (const [, work] of unfinished(stage.ledger)) work.crashes += 1;
        found.push(...(await compare({ ...stage, visitor, areFaultsExpected: false }, { storage, waitMs })));
      }
      await visitor.close();
      return [...found, ...(await findMissingImages(storage, datasets))];
    },
    describe: () => `ended ${countEnded(all.map(({ ledger }) => ledger))}`,
    async close() {
      models.close();
      datasets.close();
    },
  };
}

async function compare(
  stage: CustomStage,
  { storage, waitMs }: Omit<WorkCheck, 'reader'>,
): Promise<readonly string[]> {
  const { lost, late } = await findCustomLosses(stage, storage, waitMs);
  return [...lost, ...late];
}

/** Images of datasets whose object is gone or another one than was sent. */
async function findMissingImages(
  storage: Pick<Storage, 'database'>,
  bucket: BucketReader,
): Promise<readonly string[]> {
  const { images } = await readStoredCustom(storage);
  const missing: string[] = [];
  for (const [id, { blobId, sha256 }] of images) {
    const digest = await digestOf(bucket, blobId);
    if (digest !== sha256)
      missing.push(`image ${id} of a dataset ${digest === null ? 'has no object' : 'is another one'}`);
  }
  return missing;
}

async function digestOf(bucket: BucketReader, id: string): Promise<string | null> {
  const kept = await bucket.read(id);
  if (kept === null) return null;
  const hash = createHash('sha256');
  for await (const piece of kept.stream) hash.update(piece);
  return hash.digest('hex');
}
