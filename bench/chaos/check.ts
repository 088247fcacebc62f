import { type CallsChecked, checkCalls } from '../crash/check-calls.js';
import { digestFile, type Site } from '../kill/site.js';
import { readBucket } from './bucket-reader.js';
import { type Installation, type Replica, type ReplicaName, replicaNames } from './installation.js';

/** What of an installation the check needs: also one whose lines cannot be cut. */
export type CheckedInstallation = Pick<Installation, 'databaseUrl' | 'settings' | 'store'> & {
  readonly replicas: Readonly<
    Record<ReplicaName, Pick<Replica, 'url' | 'service'> & Partial<Pick<Replica, 'ftpPort'>>>
  >;
};

const hourMs = 3_600_000;

/** @param key of the first account */
export function siteOfReplicas({ settings, store, replicas }: CheckedInstallation, key: string): Site {
  return {
    key,
    settings,
    services: () =>
      replicaNames.map((name) => {
        const { url, service, ftpPort } = replicas[name];
        return { name, url, metricsUrl: service().metricsUrl, ...(ftpPort !== undefined && { ftpPort }) };
      }),
    openFiles: async (kind) => readBucket(store, kind),
    async digestVersion(uid) {
      // A version is one object, which never changes.
      const models = readBucket(store, 'models');
      return await digestFile(models, uid).finally(() => models.close());
    },
    // An object without a row is kept for an hour, and the replica that leads sweeps every hour.
    timing: { orphanAgeMs: 2.1 * hourMs, sweptWithinMs: 0, settledWithinMs: 60_000 },
  };
}

/** Compares what an installation has with what was acknowledged, through each replica. */
export function checkInstallation(
  installation: CheckedInstallation,
  keys: CallsChecked['keys'],
  asked: Omit<CallsChecked, 'keys'>,
): Promise<readonly string[]> {
  return checkCalls(siteOfReplicas(installation, keys.unlimited), { ...asked, keys });
}
