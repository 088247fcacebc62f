import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { usageOf } from './processes.js';
import { type Service, startService } from './service.js';
import { type Request, sendLoad } from './speed/load.js';
import { fastDetection } from './speed/requests.js';

export interface Soak {
  readonly requests: number;
  readonly statuses: Readonly<Record<number, number>>;
  /** Mean resident bytes of the service and its inference processes in each quarter of the requests. */
  readonly quarterBytes: readonly number[];
  /** Fourth quarter over the second: 1 is no growth. */
  readonly growth: number;
  /** CPU milliseconds a request of all processes, by quarter. */
  readonly quarterCpuMs: readonly number[];
}

/** Sends `total` requests in a row and watches the memory of the service and all its processes. */
export async function soak(
  service: Service,
  requests: readonly Request[],
  { total, clients }: { readonly total: number; readonly clients: number },
): Promise<Soak> {
  const samples: number[][] = [[], [], [], []];
  const cpuSeconds = [(await usageOf(service.pid)).cpuSeconds];
  let answered = 0;
  const watch = setInterval(async () => {
    const quarter = Math.min(3, Math.floor((4 * answered) / total));
    const usage = await usageOf(service.pid);
    samples[quarter]?.push(usage.residentBytes);
    cpuSeconds[quarter + 1] = usage.cpuSeconds;
  }, 250);
  const load = await sendLoad(service.url, requests, {
    clients,
    until: (sent) => {
      answered = sent;
      return sent >= total;
    },
  });
  clearInterval(watch);
  const quarterBytes = samples.map(
    (quarter) => quarter.reduce((sum, bytes) => sum + bytes, 0) / quarter.length,
  );
  return {
    requests: total,
    statuses: load.statuses,
    quarterBytes,
    growth: (quarterBytes[3] ?? Number.NaN) / (quarterBytes[1] ?? Number.NaN),
    quarterCpuMs: quarterBytes.map(
      (_, quarter) =>
        (4000 * ((cpuSeconds[quarter + 1] ?? Number.NaN) - (cpuSeconds[quarter] ?? Number.NaN))) / total,
    ),
  };
}

/** The fast detector over and over: growth would be the service's, not a model's. */
export async function runSoak({
  data,
  requests: total,
}: {
  readonly data: string;
  readonly requests: number;
}) {
  const service = await startService();
  try {
    const images = join(data, 'coco', 'images');
    const names = (await readdir(images)).filter((name) => name.endsWith('.jpg'));
    const requests = await Promise.all(
      names.map(async (name) => fastDetection(service.key, await readFile(join(images, name)))),
    );
    const { statuses, quarterBytes, growth, quarterCpuMs } = await soak(service, requests, {
      total,
      clients: 4,
    });
    console.log(`${total} requests, answers ${JSON.stringify(statuses)}`);
    console.log(
      `resident MiB by quarter: ${quarterBytes.map((bytes) => Math.round(bytes / 2 ** 20)).join(', ')}`,
    );
    console.log(`CPU ms a request by quarter: ${quarterCpuMs.map((ms) => ms.toFixed(1)).join(', ')}`);
    console.log(`fourth quarter over the second: ${growth.toFixed(3)}`);
    if (!(growth <= 1.05)) throw new Error('memory grew by more than 5 %');
  } finally {
    await service.stop();
  }
}
