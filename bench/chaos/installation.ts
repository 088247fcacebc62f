import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { type FaultyProxy, startFaultyProxy } from '#server/storage/blobs/fixtures/faulty-proxy.js';
import type { ObjectServer } from '#server/storage/blobs/fixtures/object-server.js';
import { startRadosgw } from '#server/storage/blobs/fixtures/radosgw.js';
import { freePort } from '../free-port.js';
import { type Cluster, findPostgres, startCluster } from '../postgres/cluster.js';
import { type Service, startService } from '../service.js';
import { type FakedClock, findFaketime, makeFakedClock } from './faked-clock.js';

export const replicaNames = ['one', 'two'] as const;
export type ReplicaName = (typeof replicaNames)[number];

/** Two replicas on one PostgreSQL and one object store, each on lines of its own that can be cut. */
export interface Installation {
  /** The server that all lines to the database lead to. */
  cluster(): Cluster;
  /** Turns all lines to another server, and removes the one before. */
  turnTo(cluster: Cluster): Promise<void>;
  /** Null where libfaketime is not installed. */
  readonly databaseClock: FakedClock | null;
  readonly store: ObjectServer;
  /** Of the database, on a line that no fault cuts. */
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
  /** Null where libfaketime is not installed. */
  readonly clock: FakedClock | null;
  readonly ftpPort: number;
  /** Of the life that it is in. */
  service(): Service;
  /** The next life, after the last was killed. */
  start(): Promise<void>;
}

export const firstKey = 'the-first-key-of-the-chaos-benchmark';
export const bucketPrefix = 'of/lynceus';

/**
 * @param dir where the data folders are made
 * @param parts that operations need: fewer models to load, so that more of the time is spent on operations
 */
export async function startInstallation(dir: string, parts: string): Promise<Installation> {
  const programs = findPostgres();
  if (programs === null) throw new Error('PostgreSQL (initdb and pg_ctl) is not installed.');
  const faketime = findFaketime();
  const cleanUp: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const work of cleanUp.splice(0).reverse()) await work();
  };
  try {
    // PostgreSQL, which runs as another user, reads the file of its clock.
    await chmod(dir, 0o711);
    const databaseClock =
      faketime === null ? null : await makeFakedClock(faketime, join(dir, 'clock of the database'));
    let cluster = await startCluster(programs, { isDurable: true, env: databaseClock?.settings ?? {} });
    cleanUp.push(() => cluster.remove());
    const straight = await startFaultyProxy(portOf(cluster));
    const lines = [straight];
    cleanUp.push(straight.stop);
    const store = await startRadosgw();
    cleanUp.push(() => store.stop());
    const databaseUrl = throughProxy(cluster.url('postgres'), straight);
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
      LYNCEUS_RECOGNITION_PARTS: parts,
      LYNCEUS_FTP_PASSIVE_PORTS: '0-0',
      LYNCEUS_FTP_MAX_CONNECTIONS: '200',
      LYNCEUS_DELIVERY_ALLOWED_NETWORKS: '127.0.0.0/8',
      LYNCEUS_DROP_SETTLE_MS: '200',
    };
    const makeReplica = async (name: ReplicaName): Promise<Replica> => {
      const toDatabase = await startFaultyProxy(portOf(cluster));
      lines.push(toDatabase);
      const toStore = await startFaultyProxy(store.port);
      cleanUp.push(toDatabase.stop, toStore.stop);
      const clock = faketime === null ? null : await makeFakedClock(faketime, join(dir, `clock of ${name}`));
      const ftpPort = await freePort();
      const settings = {
        ...common,
        ...clock?.settings,
        LYNCEUS_DATA_DIR: join(dir, name),
        LYNCEUS_PORT: String(await freePort()),
        LYNCEUS_FTP_PORT: String(ftpPort),
        LYNCEUS_DATABASE_URL: throughProxy(databaseUrl, toDatabase),
        LYNCEUS_BLOBS_ENDPOINT: throughProxy(store.endpoint, toStore),
      };
      let service = await startService(settings);
      cleanUp.push(() => service.stop());
      return {
        url: service.url,
        toDatabase,
        toStore,
        clock,
        ftpPort,
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
    return {
      cluster: () => cluster,
      async turnTo(next) {
        const before = cluster;
        cluster = next;
        for (const line of lines) line.turnTo(portOf(next));
        await before.remove();
      },
      databaseClock,
      store,
      databaseUrl,
      settings,
      replicas,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function portOf(cluster: Cluster): number {
  return Number(new URL(cluster.url('postgres')).port);
}

function throughProxy(address: string, { port }: FaultyProxy): string {
  const url = new URL(address);
  url.port = String(port);
  return url.href.replace(/\/$/, '');
}
