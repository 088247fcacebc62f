import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Images, writePhotos } from '../speed/images.js';
import { type Request, sendLoad } from '../speed/load.js';
import { fastDetection, generalRecognition } from '../speed/requests.js';
import { formatTable } from '../table.js';
import { type Caps, createCaps } from './caps.js';
import { around, caps, type Installation, type Shape, startInstallation } from './installation.js';
import { sendPaced } from './paced-load.js';

interface Measured {
  readonly perSecond: number;
  /** Of PostgreSQL and nginx. */
  readonly infrastructureCpuMs: number;
  readonly replicaCpuMs: number;
}

const operations: readonly (readonly [name: string, requestFor: (key: string, jpeg: Buffer) => Request])[] = [
  [
    'general recognition, basic',
    (key, jpeg) => generalRecognition(key, jpeg, 'basic', 'classes,objects,texts,faces'),
  ],
  ['coco-fast', fastDetection],
];
/** Each shape as often before as after each other one: a machine that slows down favours none. */
const order: readonly Shape[] = ['one', 'two', 'apart', 'apart', 'two', 'one'];
const clients = 8;
/** Of what one replica can take at most: the load at which latencies are compared. */
const equalShare = 0.6;

/**
 * What a second replica brings on PostgreSQL behind nginx, against two services that share nothing. Each replica has half of core 0;
 * database, balancer and load are on core 1.
 * @param rounds how often the order is gone through; what is reported is the median of two times as many
 */
export async function runScale(options: {
  readonly data: string;
  readonly seconds: number;
  readonly rounds: number;
}): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-scale-'));
  const groups = await createCaps(caps, around);
  try {
    const images = await writePhotos(options.data, dir);
    const measured = new Map<string, Measured[]>();
    for (const shape of Array.from({ length: options.rounds }, () => order).flat()) {
      for (const [name, each] of await measureShape({
        dir,
        shape,
        groups,
        images,
        seconds: options.seconds,
      })) {
        const of = `${name} ${shape}`;
        measured.set(of, [...(measured.get(of) ?? []), each]);
        console.log(`${of}: ${each.perSecond.toFixed(2)} calls/s`);
      }
    }
    console.log(`\n${throughputTable(measured)}\n`);
    console.log(await latencyTable({ dir, groups, images, seconds: options.seconds, measured }));
  } finally {
    await groups.remove();
    await rm(dir, { recursive: true, force: true });
  }
}

interface Work {
  readonly dir: string;
  readonly shape: Shape;
  readonly groups: Caps;
  readonly images: Images;
  readonly seconds: number;
}

async function withInstallation<T>(
  { dir, shape, groups }: Pick<Work, 'dir' | 'shape' | 'groups'>,
  work: (installation: Installation) => Promise<T>,
): Promise<T> {
  const installation = await startInstallation(join(dir, 'run'), shape, groups);
  try {
    return await work(installation);
  } finally {
    await installation.stop();
    await rm(join(dir, 'run'), { recursive: true, force: true });
  }
}

const measureShape = ({ images, seconds, ...work }: Work) =>
  withInstallation(work, async (installation) => {
    const results: (readonly [string, Measured])[] = [];
    for (const [name, requestFor] of operations) {
      const requests = images.jpegs.map((jpeg) => requestFor(installation.key, jpeg));
      // Models are read with the first calls.
      await load(installation, requests, 4);
      const before = await installation.cpuSeconds();
      const loads = await load(installation, requests, seconds);
      const after = await installation.cpuSeconds();
      const calls = loads.reduce((sum, each) => sum + each.images, 0);
      if (loads.some(({ statuses }) => Object.keys(statuses).some((status) => status !== '200'))) {
        throw new Error(`calls failed: ${JSON.stringify(loads.map(({ statuses }) => statuses))}`);
      }
      const cpuMs = (of: 'replicas' | 'infrastructure') => ((after[of] - before[of]) * 1000) / calls;
      results.push([
        name,
        {
          perSecond: loads.reduce((sum, each) => sum + each.perSecond, 0),
          infrastructureCpuMs: cpuMs('infrastructure'),
          replicaCpuMs: cpuMs('replicas'),
        },
      ]);
    }
    return results;
  });

function load({ urls }: Installation, requests: readonly Request[], seconds: number) {
  const until = (_answered: number, ms: number) => ms >= seconds * 1000;
  return Promise.all(
    urls.map((url) => sendLoad(url, requests, { clients: (2 * clients) / urls.length, until })),
  );
}

function throughputTable(measured: ReadonlyMap<string, readonly Measured[]>): string {
  const rows = [['operation', 'replicas', 'calls/s', 'times one', 'CPU ms', 'infrastructure CPU ms']];
  const labels = { one: '1', two: '2', apart: '2 services apart' };
  for (const [name] of operations) {
    for (const shape of ['one', 'two', 'apart'] as const) {
      const of = (each: Shape, figure: keyof Measured) =>
        median((measured.get(`${name} ${each}`) ?? []).map((one) => one[figure]));
      const perSecond = of(shape, 'perSecond');
      rows.push([
        name,
        labels[shape],
        perSecond.toFixed(2),
        (perSecond / of('one', 'perSecond')).toFixed(2),
        of(shape, 'replicaCpuMs').toFixed(1),
        of(shape, 'infrastructureCpuMs').toFixed(2),
      ]);
    }
  }
  return formatTable(rows);
}

async function latencyTable(
  work: Omit<Work, 'shape'> & { readonly measured: ReadonlyMap<string, readonly Measured[]> },
): Promise<string> {
  const rows = [['operation', 'replicas', 'calls/s sent', 'p50 ms', 'p95 ms', 'failed']];
  for (const shape of ['one', 'two'] as const) {
    await withInstallation({ ...work, shape }, async (installation) => {
      for (const [name, requestFor] of operations) {
        const requests = work.images.jpegs.map((jpeg) => requestFor(installation.key, jpeg));
        await load(installation, requests, 4);
        const mostPerSecond = median(
          (work.measured.get(`${name} one`) ?? []).map(({ perSecond }) => perSecond),
        );
        for (const times of shape === 'one' ? [1] : [1, 2]) {
          const perSecond = mostPerSecond * equalShare * times;
          const [url = ''] = installation.urls;
          const { latenciesMs, failed } = await sendPaced(url, requests, {
            perSecond,
            seconds: 2 * work.seconds,
          });
          const at = (part: number) => latenciesMs[Math.floor(part * latenciesMs.length)] ?? Number.NaN;
          rows.push([
            name,
            shape === 'one' ? '1' : '2',
            perSecond.toFixed(2),
            at(0.5).toFixed(0),
            at(0.95).toFixed(0),
            String(failed),
          ]);
        }
      }
    });
  }
  return formatTable(rows);
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low = Number.NaN, high = Number.NaN] = [
    sorted[sorted.length % 2 === 0 ? middle - 1 : middle],
    sorted[middle],
  ];
  return (low + high) / 2;
}
