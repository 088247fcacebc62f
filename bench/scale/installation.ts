import { join } from 'node:path';
import { findPostgres, startCluster } from '../postgres/cluster.js';
import { cpuSecondsOf, withDescendants } from '../processes.js';
import { type Service, startService } from '../service.js';
import { startBalancer } from './balancer.js';
import type { Cap, Caps } from './caps.js';
import { postmasterOf } from './postmaster.js';

/** One or two replicas on PostgreSQL behind nginx, or two services that share nothing; each has half of core 0. */
export type Shape = 'one' | 'two' | 'apart';

export interface Installation {
  /** Where calls go; of services apart there are two, and half of the calls go to each. */
  readonly urls: readonly string[];
  readonly key: string;
  /** CPU seconds so far, of the replicas and of PostgreSQL with nginx. */
  cpuSeconds(): Promise<{ readonly replicas: number; readonly infrastructure: number }>;
  stop(): Promise<void>;
}

const replica = { core: 0, share: 0.5 };
export const around = 'infrastructure';
/** The load that the benchmark sends is on the core of the infrastructure. */
export const caps: readonly Cap[] = [
  { name: 'first', ...replica },
  { name: 'second', ...replica },
  { name: around, core: 1, share: 1 },
];
const key = 'the-first-key-of-the-scale-benchmark';

export async function startInstallation(dir: string, shape: Shape, groups: Caps): Promise<Installation> {
  const programs = findPostgres();
  if (programs === null) throw new Error('PostgreSQL (initdb and pg_ctl) is not installed.');
  const cleanUp: (() => Promise<void>)[] = [];
  const stop = async () => {
    for (const work of cleanUp.splice(0).reverse()) await work();
  };
  try {
    const cluster = shape === 'apart' ? null : await startCluster(programs, { isDurable: true });
    if (cluster) cleanUp.push(() => cluster.remove());
    const databaseUrl = cluster?.url('postgres') ?? '';
    const services: Service[] = [];
    for (const name of shape === 'one' ? ['first'] : ['first', 'second']) {
      const service = await startService({
        LYNCEUS_DATA_DIR: join(dir, shape, name),
        LYNCEUS_FIRST_KEY: key,
        LYNCEUS_INFERENCE_PROCESSES: '1',
        LYNCEUS_KEEP_IMAGES: 'false',
        ...(cluster && {
          LYNCEUS_DATABASE_URL: databaseUrl,
          LYNCEUS_JOIN_INSTALLATION: 'true',
          LYNCEUS_SECRET_KEY: Buffer.alloc(32, 's').toString('base64'),
        }),
      });
      cleanUp.push(() => service.stop());
      services.push(service);
    }
    const urls = services.map(({ url }) => url);
    const balancer = cluster && (await startBalancer(join(dir, shape, 'nginx'), urls));
    if (balancer) cleanUp.push(balancer.stop);
    const besides = [
      ...(balancer ? [balancer.pid] : []),
      ...(cluster ? [await postmasterOf(cluster.url('postgres'))] : []),
    ];
    for (const [index, { pid }] of services.entries())
      await groups.place(index === 0 ? 'first' : 'second', pid);
    return {
      urls: balancer ? [balancer.url] : urls,
      key,
      async cpuSeconds() {
        const sum = async (pids: readonly number[]) =>
          cpuSecondsOf((await Promise.all(pids.map(withDescendants))).flat());
        return { replicas: await sum(services.map(({ pid }) => pid)), infrastructure: await sum(besides) };
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
