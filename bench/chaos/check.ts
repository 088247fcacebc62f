import { dataFolder } from '#server/storage/data-folder.js';
import { openCommandStorage, type Storage } from '#server/storage/open-storage.js';
import { findLosses } from '../crash/check.js';
import type { Ledger, Payer } from '../crash/ledger.js';
import { findLostFaces } from '../crash/lost-faces.js';
import { readStoredFaces } from '../crash/stored-faces.js';
import { findMisindexedFaces, findUnfoundFaces } from '../crash/unfound-faces.js';
import { anyOf } from '../kill/chance.js';
import { untilNone } from '../kill/until.js';
import { createVisitor } from '../load/visitor.js';
import { readCounts } from '../scale-counting/counts.js';
import { type BucketReader, readBucket } from './bucket-reader.js';
import { type Installation, type Replica, type ReplicaName, replicaNames } from './installation.js';

/** What of an installation the check needs: also one whose lines cannot be cut. */
export type CheckedInstallation = Pick<Installation, 'databaseUrl' | 'settings' | 'store'> & {
  readonly replicas: Readonly<Record<ReplicaName, Pick<Replica, 'url' | 'service'>>>;
};

/** An hour old, an object without a row goes with the next sweep: the replica that leads makes one every hour. */
const orphanAgeMs = 2.1 * 3_600_000;
/** In which a replica follows what the others changed, and a write that a fault cut short ends, on a busy machine. */
const settledWithinMs = 60_000;

/**
 * Compares calls, keys, results and faces with what was acknowledged, through each replica; answers descriptions of the differences.
 * @param asked.searches images of faces that are searched for through each replica
 * @param asked.images of faces, in the bucket
 */
export async function checkCalls(
  { databaseUrl, replicas }: Pick<CheckedInstallation, 'databaseUrl' | 'replicas'>,
  storage: Pick<Storage, 'database'>,
  asked: {
    readonly keys: Readonly<Record<Payer, string>>;
    readonly modelId: number;
    readonly ledger: Ledger;
    readonly searches: number;
    readonly images: BucketReader;
  },
): Promise<readonly string[]> {
  const { keys, modelId, ledger, searches, images } = asked;
  const stored = await readStoredFaces(storage.database, images, { modelId, orphanAgeMs });
  const findings = [...ledger.setbacks.splice(0), ...stored.halves, ...findLostFaces(stored, ledger.faces)];
  const deleted = [...ledger.faces.images].flatMap(([id, { image, isDeleted }]) =>
    isDeleted === 'yes' ? [{ id, image }] : [],
  );
  const present = anyOf(stored.rows, searches);
  for (const name of replicaNames) {
    const { url, service } = replicas[name];
    const visitor = createVisitor(url);
    const differences = async () => [
      ...(await findLosses(visitor, keys, ledger)),
      ...(await findUnfoundFaces(visitor, {
        modelId,
        key: keys.unlimited,
        present,
        deleted: anyOf(deleted, searches / 4),
      })),
      ...(await findMisindexedFaces(service().metricsUrl, stored.rows.length)),
    ];
    findings.push(
      ...(await untilNone(differences, settledWithinMs)).map((words) => `replica ${name}: ${words}`),
    );
    await visitor.close();
  }
  return [...findings, ...(await untilNone(() => findMiscounts(databaseUrl), settledWithinMs))];
}

/** The same of an installation whose database and bucket are not open. */
export async function checkInstallation(
  installation: CheckedInstallation,
  keys: Readonly<Record<Payer, string>>,
  asked: { readonly modelId: number; readonly ledger: Ledger; readonly searches: number },
): Promise<readonly string[]> {
  const { databaseUrl, settings, store } = installation;
  const storage = await openCommandStorage(dataFolder(settings['LYNCEUS_DATA_DIR'] ?? ''), { databaseUrl });
  const images = readBucket(store, 'faces');
  try {
    return await checkCalls(installation, storage, { ...asked, keys, images });
  } finally {
    images.close();
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
