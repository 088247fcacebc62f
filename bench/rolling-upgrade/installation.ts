import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startNginx } from '#server/http/fixtures/shipped-nginx.js';
import type { ObjectServer } from '#server/storage/blobs/fixtures/object-server.js';
import { startRadosgw } from '#server/storage/blobs/fixtures/radosgw.js';
import { bucketPrefix, type ReplicaName, replicaNames } from '../chaos/installation.js';
import { freePort } from '../free-port.js';
import { findPostgres, startCluster } from '../postgres/cluster.js';
import type { Service } from '../service.js';
import { startSingleService } from '../single-service.js';

/** A version that replicas run. */
export interface Version {
  readonly bundle: string;
  /** Environment variables of its settings: others would stop its start. */
  readonly settings: ReadonlySet<string>;
}

export interface UpgradedReplica {
  readonly url: string;
  service(): Service;
  /** Ends it by SIGTERM and starts a version on the same data folder; answers how long it was away. */
  replace(version: Version): Promise<Replacement>;
}

export interface Replacement {
  /** From SIGTERM to the end of the process. */
  readonly stoppedMs: number;
  /** From there until `/readyz` answers 200. */
  readonly startedMs: number;
}

/** Two replicas behind nginx with the file of deploy/. */
export interface UpgradedInstallation {
  readonly url: string;
  readonly databaseUrl: string;
  readonly store: ObjectServer;
  /** What a command is started with. */
  readonly settings: Readonly<Record<string, string>>;
  readonly replicas: Readonly<Record<ReplicaName, UpgradedReplica>>;
  /** Of the one replica that takes files by FTP. */
  readonly ftpPort: number;
  readonly dropFolder: string;
  stop(): Promise<void>;
}

export const firstKey = 'the-first-key-of-the-rolling-upgrade';

export async function startInstallation(
  dir: string,
  {
    version,
    drainDelayMs,
    onOutput,
  }: {
    readonly version: Version;
    readonly drainDelayMs: number;
    readonly onOutput: (text: string) => void;
  },
): Promise<UpgradedInstallation> {
  const programs = findPostgres();
  if (programs === null) throw new Error('PostgreSQL (initdb and pg_ctl) is not installed.');
  const cleanUp: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const work of cleanUp.splice(0).reverse()) await work();
  };
  try {
    const cluster = await startCluster(programs, { isDurable: true });
    cleanUp.push(() => cluster.remove());
    const store = await startRadosgw();
    cleanUp.push(() => store.stop());
    const databaseUrl = cluster.url('postgres');
    const dropFolder = join(dir, 'delivered');
    await mkdir(dropFolder);
    const ftpPort = await freePort();
    const common = {
      LYNCEUS_DATABASE_URL: databaseUrl,
      ...bucketSettings(store),
      LYNCEUS_DROP_FOLDERS: dropFolder,
      LYNCEUS_SECRET_KEY: Buffer.alloc(32, 's').toString('base64'),
      LYNCEUS_JOIN_INSTALLATION: 'true',
      LYNCEUS_FIRST_KEY: firstKey,
      LYNCEUS_INFERENCE_PROCESSES: '1',
      LYNCEUS_KEEP_IMAGES: 'true',
      LYNCEUS_TRIAL_CALLS: '1000000',
      LYNCEUS_RECOGNITION_PARTS: 'faces',
      LYNCEUS_TRUSTED_PROXIES: '127.0.0.1',
      LYNCEUS_DRAIN_DELAY_MS: String(drainDelayMs),
    };
    const makeReplica = async (name: ReplicaName): Promise<UpgradedReplica> => {
      const settings = {
        ...common,
        LYNCEUS_DATA_DIR: join(dir, name),
        LYNCEUS_PORT: String(await freePort()),
        ...(name === 'one' && ftpSettings(ftpPort)),
      };
      const start = ({ bundle, settings: known }: Version) => {
        const taken = Object.entries(settings).filter(
          ([key]) => !key.startsWith('LYNCEUS_') || known.has(key),
        );
        return startSingleService(Object.fromEntries(taken), onOutput, 1, bundle);
      };
      let service = await start(version);
      cleanUp.push(() => service.stop());
      return {
        url: service.url,
        service: () => service,
        async replace(next) {
          const atMs = performance.now();
          await service.stop();
          const stoppedAtMs = performance.now();
          service = await start(next);
          return { stoppedMs: stoppedAtMs - atMs, startedMs: performance.now() - stoppedAtMs };
        },
      };
    };
    // One after the other: only the first makes the first key.
    const replicas = { one: await makeReplica('one'), two: await makeReplica('two') };
    const [first, second] = replicaNames.map((name) => Number(new URL(replicas[name].url).port));
    const port = await freePort();
    const nginx = await startNginx({ dir, port, replicas: [first ?? 0, second ?? 0] });
    cleanUp.push(nginx.stop);
    const settings = { ...common, LYNCEUS_DATA_DIR: join(dir, 'one') };
    return { url: nginx.url, databaseUrl, store, settings, replicas, ftpPort, dropFolder, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function bucketSettings(store: ObjectServer) {
  return {
    LYNCEUS_BLOBS: `s3://${store.bucket}/${bucketPrefix}`,
    LYNCEUS_BLOBS_ENDPOINT: store.endpoint,
    AWS_ACCESS_KEY_ID: store.accessKeyId,
    AWS_SECRET_ACCESS_KEY: store.secretAccessKey,
  };
}

function ftpSettings(port: number) {
  return {
    LYNCEUS_FTP_PORT: String(port),
    LYNCEUS_FTP_PASSIVE_PORTS: '0-0',
    LYNCEUS_DROP_SETTLE_MS: '0',
  };
}
