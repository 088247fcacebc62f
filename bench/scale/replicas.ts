import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { freePort } from '../free-port.js';
import type { Service } from '../service.js';
import { startSingleService } from '../single-service.js';
import { startBalancer } from './balancer.js';

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
 * Two replicas behind nginx, which gives them requests in turn: what one does the other is asked for next. A test sees one
 * service, whose process and metrics are those of the first.
 */
export async function startReplicas(
  shared: Shared,
  settings: Readonly<Record<string, string>>,
  onOutput: (text: string) => void,
): Promise<Service> {
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-replicas-'));
  const name = `replicas_${randomUUID().replaceAll('-', '')}`;
  const databaseUrl = await makeDatabase(shared.adminUrl, name);
  const common = {
    LYNCEUS_FIRST_KEY: `bench_${randomUUID()}`,
    ...settings,
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
    const services: Service[] = [];
    for (const replica of ['one', 'two']) {
      const service = await startSingleService(
        { ...common, LYNCEUS_DATA_DIR: join(dir, replica), LYNCEUS_PORT: String(await freePort()) },
        onOutput,
      );
      cleanUp.push(() => service.stop());
      services.push(service);
    }
    const [first] = services;
    if (first === undefined) throw new Error('there is no replica');
    const prefix = settings['LYNCEUS_PATH_PREFIX'] ?? '';
    const balancer = await startBalancer(
      join(dir, 'nginx'),
      services.map(({ url }) => url),
      settings['LYNCEUS_PORT'],
    );
    cleanUp.push(balancer.stop);
    return {
      ...first,
      url: `${balancer.url}${prefix}`,
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
