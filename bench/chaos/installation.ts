import { join } from 'node:path';
import { type FaultyProxy, startFaultyProxy } from '#server/storage/blobs/fixtures/faulty-proxy.js';
import type { ObjectServer } from '#server/storage/blobs/fixtures/object-server.js';
import { startRadosgw } from '#server/storage/blobs/fixtures/radosgw.js';
import { freePort } from '../free-port.js';
import { type Cluster, findPostgres, startCluster } from '../postgres/cluster.js';
import { type Service, startService } from '../service.js';

export const replicaNames = ['one', 'two'] as const;
export type ReplicaName = (typeof replicaNames)[number];

/** Two replicas on one PostgreSQL and one object store, each on lines of its own that can be cut. */
export interface Installation {
  readonly cluster: Cluster;
  readonly store: ObjectServer;
  /** Of the database, past the lines of the replicas. */
  readonly databaseUrl: string;
  /** What a command beside the replicas is started with, past their lines. */
  readonly settings: Readonly<Record<string, string>>;
  readonly replicas: Readonly<Record<ReplicaName, Replica>>;
  stop(): Promise<void>;
}

export interface Replica {
  /** The same over all its lives. */
  readonly url: string;
  readonly toDatabase: FaultyProxy;
  readonly toStore: FaultyProxy;
  /** Of the life that it is in. */
  service(): Service;
  /** The next life, after the last was killed. */
  start(): Promise<void>;
}

export const firstKey = 'the-first-key-of-the-chaos-benchmark';
export const bucketPrefix = 'of/lynceus';

/** @param dir where the data folders are made */
export async function startInstallation(dir: string): Promise<Installation> {
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
    const common = {
      LYNCEUS_DATABASE_URL: databaseUrl,
      LYNCEUS_BLOBS: `s3://${store.bucket}/${bucketPrefix}`,
      LYNCEUS_BLOBS_ENDPOINT: store.endpoint,
      AWS_ACCESS_KEY_ID: store.accessKeyId,
      AWS_SECRET_ACCESS_KEY: store.secretAccessKey,
      LYNCEUS_SECRET_KEY: Buffer.alloc(32, 's').toString('base64'),
      LYNCEUS_JOIN_INSTALLATION: 'true',
      LYNCEUS_FIRST_KEY: firstKey,
      LYNCEUS_INFERENCE_PROCESSES: '1',
      LYNCEUS_KEEP_IMAGES: 'true',
      LYNCEUS_TRIAL_CALLS: '1000000',
      // No operation needs more: fewer models to load, so that more of the time is spent on operations.
      LYNCEUS_RECOGNITION_PARTS: 'faces',
    };
    const makeReplica = async (name: ReplicaName): Promise<Replica> => {
      const toDatabase = await startFaultyProxy(Number(new URL(databaseUrl).port));
      const toStore = await startFaultyProxy(store.port);
      cleanUp.push(toDatabase.stop, toStore.stop);
      const port = await freePort();
      const settings = {
        ...common,
        LYNCEUS_DATA_DIR: join(dir, name),
        LYNCEUS_PORT: String(port),
        LYNCEUS_DATABASE_URL: throughProxy(databaseUrl, toDatabase),
        LYNCEUS_BLOBS_ENDPOINT: throughProxy(store.endpoint, toStore),
      };
      let service = await startService(settings);
      cleanUp.push(() => service.stop());
      return {
        url: service.url,
        toDatabase,
        toStore,
        service: () => service,
        async start() {
          await service.stop();
          service = await startService(settings);
        },
      };
    };
    // One after the other: only the first makes the first key.
    const replicas = { one: await makeReplica('one'), two: await makeReplica('two') };
    const settings = { ...common, LYNCEUS_DATA_DIR: join(dir, 'one') };
    return { cluster, store, databaseUrl, settings, replicas, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function throughProxy(address: string, { port }: FaultyProxy): string {
  const url = new URL(address);
  url.port = String(port);
  return url.href.replace(/\/$/, '');
}
