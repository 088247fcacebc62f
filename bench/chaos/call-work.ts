import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { dataFolder } from '#server/storage/data-folder.js';
import { openCommandStorage } from '#server/storage/open-storage.js';
import { findLosses } from '../crash/check.js';
import type { Ledger, Payer } from '../crash/ledger.js';
import { findLostFaces } from '../crash/lost-faces.js';
import { operationsOf } from '../crash/operations.js';
import { anyOf } from '../crash/pick.js';
import { startOperations } from '../crash/run-operations.js';
import { readStoredFaces } from '../crash/stored-faces.js';
import { findMisindexedFaces, findUnfoundFaces } from '../crash/unfound-faces.js';
import { makePerception } from '../face-index/make-perception.js';
import { createVisitor } from '../load/visitor.js';
import { readCounts } from '../scale-counting/counts.js';
import { readBucket } from './bucket-reader.js';
import { firstKey, type Installation, makeKey, replicaNames } from './installation.js';
import type { Work } from './work.js';

/** Images without a row are deleted after an hour; a round ends before. */
const orphanAgeMs = 3_600_000;
/** In which a replica follows what the others changed, and a write that a fault cut short ends, on a busy machine. */
const settledWithinMs = 60_000;

/** Faces searched for through each replica after a round. */
const searches = 40;
const samplePath = new URL('../../../packages/server/assets/sample.jpg', import.meta.url);

/**
 * Predictions that are counted, keys, results and faces.
 * @param clients of each replica
 */
export async function prepareCallWork(
  installation: Installation,
  { clients, ledger }: { readonly clients: number; readonly ledger: Ledger },
): Promise<Work> {
  const { databaseUrl, replicas, store } = installation;
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
    async check({ storage }) {
      const stored = await readStoredFaces(storage.database, images, { modelId, orphanAgeMs });
      const findings = [
        ...ledger.setbacks.splice(0),
        ...stored.halves,
        ...findLostFaces(stored, ledger.faces),
      ];
      const deleted = [...ledger.faces.images].flatMap(([id, { image: sent, isDeleted }]) =>
        isDeleted === 'yes' ? [{ id, image: sent }] : [],
      );
      const present = anyOf(stored.rows, searches);
      for (const name of replicaNames) {
        const visitor = createVisitor(replicas[name].url);
        const differences = async () => [
          ...(await findLosses(visitor, keys, ledger)),
          ...(await findUnfoundFaces(visitor, {
            modelId,
            key: keys.unlimited,
            present,
            deleted: anyOf(deleted, searches / 4),
          })),
          ...(await findMisindexedFaces(replicas[name].service().metricsUrl, stored.rows.length)),
        ];
        findings.push(...(await untilNone(differences)).map((words) => `replica ${name}: ${words}`));
        await visitor.close();
      }
      return [...findings, ...(await untilNone(() => findMiscounts(databaseUrl)))];
    },
    describe() {
      const { unlimited, limited } = ledger.calls;
      return (
        `calls answered ${unlimited.answered} + ${limited.answered}, counted ${unlimited.counted} + ${limited.counted}, ` +
        `sent ${unlimited.sent} + ${limited.sent}; ${ledger.keys.size} keys, ${ledger.files.size} files, ` +
        `${ledger.faces.images.size} face images, ${ledger.faces.changed} of them changed`
      );
    },
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

/** Usage, the account's counter and those of its keys, which say the same where calls are counted exactly. */
async function findMiscounts(databaseUrl: string): Promise<readonly string[]> {
  return (await readCounts(databaseUrl)).flatMap(({ account, usage, used, usedByKeys }) =>
    usage === used && used === usedByKeys
      ? []
      : [`${account}: ${usage} calls in the usage, ${used} of the account, ${usedByKeys} of its keys`],
  );
}

/** What is found still when nothing is under way any more. */
async function untilNone(find: () => Promise<readonly string[]>): Promise<readonly string[]> {
  const deadlineMs = performance.now() + settledWithinMs;
  for (;;) {
    const found = await find();
    if (found.length === 0 || performance.now() > deadlineMs) return found;
    await sleep(500);
  }
}
