import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeHeld, readEventLoopDelay } from '../event-loop.js';
import { usageOf, waitedForCoreMs } from '../processes.js';
import { type Images, writeLargeImages, writePhotos } from '../speed/images.js';
import { sendLoad } from '../speed/load.js';
import { generalRecognition } from '../speed/requests.js';
import { formatTable } from '../table.js';
import { startDroppedService } from './dropped-service.js';

type DroppedService = Awaited<ReturnType<typeof startDroppedService>>;

interface Speed {
  readonly perMinute: number;
}

interface Batch {
  readonly name: string;
  readonly images: Images;
  readonly count: number;
}

const parts = 'classes,objects,texts,faces';
const connections = 4;

/**
 * Images a minute through a drop, from the first byte by FTP to the last file at its destination, against the
 * predictor's own limit: the same images with the same parts by HTTP to the same service, in turns.
 */
export async function runDropSpeed({ data, rounds }: { readonly data: string; readonly rounds: number }) {
  const folder = await mkdtemp(join(tmpdir(), 'lynceus-drop-speed-'));
  try {
    const { enlarged } = await writeLargeImages(data, folder);
    const batches: readonly Batch[] = [
      { name: '640x480', images: await writePhotos(data, folder), count: 90 },
      { name: '4000x3000', images: enlarged, count: 24 },
    ];
    const dropped = await startDroppedService();
    try {
      for (const batch of batches) console.log(await compare(dropped, batch, rounds));
    } finally {
      await dropped.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function compare(dropped: DroppedService, batch: Batch, rounds: number): Promise<string> {
  await byHttp(dropped, { ...batch, count: 16 });
  await byDrop(dropped, { ...batch, count: 16 });
  const rows = [
    [
      ...['round', 'HTTP a minute', 'CPU ms', 'loop held ms'],
      ...['drop a minute', 'CPU ms', 'loop held ms', 'waited for a core ms'],
      ...['ratio', 'CPU ratio'],
    ],
  ];
  const ratios: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    const http = await measure(dropped, batch, () => byHttp(dropped, batch));
    const drop = await measure(dropped, batch, () => byDrop(dropped, batch));
    const ratio = drop.perMinute / http.perMinute;
    ratios.push(ratio);
    rows.push([
      ...[String(round), http.perMinute.toFixed(0), http.cpuMs.toFixed(0), http.held],
      ...[drop.perMinute.toFixed(0), drop.cpuMs.toFixed(0), drop.held, drop.waitedMs.toFixed(0)],
      ...[ratio.toFixed(2), (http.cpuMs / drop.cpuMs).toFixed(2)],
    ]);
  }
  const middle = [...ratios].sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? Number.NaN;
  return (
    `${batch.count} JPEGs of ${batch.name} a round, ${connections} FTP connections, ${availableParallelism()} cores; ` +
    `CPU of all processes of the service, an image\n${formatTable(rows)}\nmedian ratio ${middle.toFixed(2)}\n`
  );
}

async function byHttp({ service }: DroppedService, { images, count }: Batch): Promise<Speed> {
  const requests = images.jpegs.map((jpeg) => generalRecognition(service.key, jpeg, 'basic', parts));
  const clients = 4 * availableParallelism();
  const load = await sendLoad(service.url, requests, { clients, until: (sent) => sent >= count });
  if (load.images !== count)
    throw new Error(`${load.images} of ${count} answered: ${JSON.stringify(load.statuses)}`);
  return { perMinute: load.perSecond * 60 };
}

async function byDrop(dropped: DroppedService, { images, count }: Batch): Promise<Speed> {
  const { jpegs } = images;
  const files = Array.from({ length: count }, (_, index): [string, Buffer] => [
    `${index}.jpg`,
    jpegs[index % jpegs.length] ?? Buffer.alloc(0),
  ]);
  const { seconds } = await dropped.send(files, connections);
  return { perMinute: (count / seconds) * 60 };
}

/** Beside it: CPU of all processes of the service an image, and how long its serving thread was held or had to wait. */
async function measure({ service }: DroppedService, { count }: Batch, work: () => Promise<Speed>) {
  await readEventLoopDelay(service);
  const waitedBeforeMs = await waitedForCoreMs(service.pid);
  const before = (await usageOf(service.pid)).cpuSeconds;
  const { perMinute } = await work();
  const cpuSeconds = (await usageOf(service.pid)).cpuSeconds - before;
  return {
    perMinute,
    cpuMs: (1000 * cpuSeconds) / count,
    held: describeHeld(await readEventLoopDelay(service)),
    waitedMs: (await waitedForCoreMs(service.pid)) - waitedBeforeMs,
  };
}
