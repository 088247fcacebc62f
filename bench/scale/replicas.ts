import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startNginx } from '#server/http/fixtures/shipped-nginx.js';
import { freePort } from '../free-port.js';
import type { Service } from '../running-service.js';
import { startSingleService } from '../single-service.js';

/** Two replicas as one service. */
export interface Replicas extends Service {
  /** Of each replica, without the balancer. */
  readonly replicaUrls: readonly string[];
}

/** What replicas share: a server of PostgreSQL, each installation a database of its own, and a bucket, each a prefix. */
export interface Shared {
  readonly adminUrl: string;
  readonly bucket: string;
  readonly endpoint: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

const variable = 'TEST_REPLICAS_SHARE';

/** Lets all services of this process and those below it be two replicas. */
export function shareByReplicas(shared: Shared): void {
  process.env[variable] = JSON.stringify(shared);
}

/** Null where services are single ones. */
export function sharedByReplicas(): Shared | null {
  const text = process.env[variable];
  return text === undefined ? null : JSON.parse(text);
}

/**
 * Two replicas behind nginx with deploy/nginx.conf, which gives them requests in turn: what one does the other is asked for
 * next. A test sees one service, whose process and metrics are those of the first.
 */
export async function startReplicas(
  shared: Shared,
  settings: Readonly<Record<string, string>>,
  onOutput: (text: string) => void = () => undefined,
): Promise<Replicas> {
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-replicas-'));
  const name = `replicas_${randomUUID().replaceAll('-', '')}`;
  const databaseUrl = await makeDatabase(shared.adminUrl, name);
  const { LYNCEUS_PORT: balancerPort, LYNCEUS_PATH_PREFIX: prefix = '', ...others } = settings;
  const common = {
    LYNCEUS_FIRST_KEY: `bench_${randomUUID()}`,
    LYNCEUS_PATH_PREFIX: prefix,
    ...others,
    LYNCEUS_DATABASE_URL: databaseUrl,
    LYNCEUS_JOIN_INSTALLATION: 'true',
    LYNCEUS_SECRET_KEY: Buffer.alloc(32, 's').toString('base64'),
    LYNCEUS_BLOBS: `s3://${shared.bucket}/${name}`,
    LYNCEUS_BLOBS_ENDPOINT: shared.endpoint,
    LYNCEUS_TRUSTED_PROXIES: '127.0.0.1',
    AWS_ACCESS_KEY_ID: shared.accessKeyId,
    AWS_SECRET_ACCESS_KEY: shared.secretAccessKey,
  };
  const cleanUp: (() => Promise<void>)[] = [() => rm(dir, { recursive: true, force: true })];
  const stop = async () => {
    for (const work of cleanUp.splice(0).reverse()) await work();
  };
  try {
    const start = async (replica: string): Promise<Service> => {
      const { LYNCEUS_SPOOL_DIR: spoolDir, LYNCEUS_FTP_PORT: ftpPort } = settings;
      const service = await startSingleService(
        {
          ...common,
          LYNCEUS_DATA_DIR: join(dir, replica),
          // A spool belongs to one process.
          ...(spoolDir === undefined ? {} : { LYNCEUS_SPOOL_DIR: join(spoolDir, replica) }),
          // Two cannot have one port; a test sends to the first.
          ...(replica === 'one' || (ftpPort ?? '0') === '0'
            ? {}
            : { LYNCEUS_FTP_PORT: String(await freePort()) }),
        },
        onOutput,
      );
      cleanUp.push(() => service.stop());
      return service;
    };
    const first = await start('one');
    const second = await start('two');
    const portOf = ({ url }: Service) => Number(new URL(url).port);
    const balancer = await startNginx({
      dir: join(dir, 'nginx'),
      port: Number(balancerPort ?? (await freePort())),
      replicas: [portOf(first), portOf(second)],
    });
    cleanUp.push(balancer.stop);
    return {
      ...first,
      url: `${balancer.url}${prefix}`,
      replicaUrls: [first.url, second.url],
      key: common.LYNCEUS_FIRST_KEY,
      firstLink: first.firstLink.then((link) => link.replace(new URL(link).origin, balancer.url)),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function makeDatabase(adminUrl: string, name: string): Promise<string> {
  const admin = new Client(adminUrl);
  await admin.connect();
  try {
    await admin.query(`create database ${name}`);
  } finally {
    await admin.end();
  }
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return url.href;
}
