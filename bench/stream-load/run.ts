import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Usage, usageOf } from '../processes.js';
import { sendPaced } from '../scale/paced-load.js';
import { type Service, startService } from '../service.js';
import type { Request } from '../speed/load.js';
import { formatTable } from '../table.js';
import { renderScene, startCameras } from './cameras.js';
import { runMemory } from './memory.js';
import { type StreamSettings, streamsOf } from './streams-of-service.js';

/** Requests of users, a second. */
const interactivePerSecond = 3;
const cameras = 4;
const tried = [2, 4, 6, 8, 12, 16, 24, 32];
/** A camera is held while it gets so much of the frames that it is to get. */
const heldShare = 0.9;
const settleMs = 12_000;
/** Where memory is watched for hours, cameras come and go. */
const filmSeconds = 600;

/**
 * Live streams beside requests of users: what four cameras cost users, how many cameras this machine holds, and memory meanwhile. Each
 * frame is analysed unless it is said.
 */
export async function runStreamLoad({
  seconds,
  rounds,
  only,
}: {
  readonly seconds: number;
  readonly rounds: number;
  readonly only: string | undefined;
}): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'lynceus-stream-load-'));
  await renderScene(dir, only === 'memory' ? filmSeconds : seconds + 120);
  const service = await startService({
    LYNCEUS_DATA_DIR: join(dir, 'data'),
    LYNCEUS_DEFAULT_DETECTOR: 'coco-fast',
    LYNCEUS_STREAM_ALLOWED_NETWORKS: '127.0.0.0/8',
  });
  try {
    if (only === 'memory') return await runMemory({ service, dir }, seconds);
    if (only !== 'cameras') await runBeside({ service, dir }, { seconds, rounds });
    if (only !== 'users') await runMost({ service, dir }, seconds);
  } finally {
    await service.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

interface Bench {
  readonly service: Service;
  readonly dir: string;
}

/** Works beside so many cameras, which are there for that long; answers the frames a second that each had analysed. */
async function besideCameras(
  { service, dir }: Bench,
  count: number,
  settings: StreamSettings,
  work: () => Promise<void>,
): Promise<readonly number[]> {
  const opened = await startCameras(dir);
  const streams = streamsOf(service, opened.address);
  try {
    await streams.add(count, settings);
    await sleep(settleMs);
    await work();
    return await streams.readFps();
  } finally {
    await streams.removeAll();
    await opened.stop();
  }
}

/** In turns, so that what else the machine does counts for both. */
async function runBeside(
  bench: Bench,
  { seconds, rounds }: { readonly seconds: number; readonly rounds: number },
): Promise<void> {
  const { service } = bench;
  const requests = [await detection(service)];
  const measure = async () =>
    (await sendPaced(service.url, requests, { perSecond: interactivePerSecond, seconds })).latenciesMs;
  await measure();
  const alone: number[] = [];
  const beside: number[] = [];
  const fps: number[] = [];
  const memory: number[] = [];
  for (let round = 0; round < rounds; round++) {
    alone.push(...(await measure()));
    const analysed = await besideCameras(bench, cameras, { fps: 5, hasGate: false }, async () => {
      beside.push(...(await measure()));
      memory.push((await usageOf(service.pid)).residentBytes);
    });
    fps.push(...analysed);
    await sleep(3000);
  }
  const row = (name: string, latencies: readonly number[]) => {
    const sorted = [...latencies].sort((a, b) => a - b);
    const at = (share: number) => sorted[Math.floor(share * sorted.length)] ?? Number.NaN;
    return [name, at(0.5), at(0.95), at(0.99)] as const;
  };
  const rows = [row('users alone', alone), row(`beside ${cameras} cameras of 5 frames/s`, beside)] as const;
  console.log(
    formatTable([
      [`${interactivePerSecond} requests/s`, 'p50 ms', 'p95 ms', 'p99 ms'],
      ...rows.map(([name, ...figures]) => [name, ...figures.map((figure) => figure.toFixed(0))]),
      ['ratio', ...[1, 2, 3].map((at) => (Number(rows[1][at]) / Number(rows[0][at])).toFixed(2))],
    ]),
  );
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  console.log(`frames a second of a camera meanwhile: ${mean(fps).toFixed(1)}`);
  console.log(
    `memory of all processes, by round: ${memory.map((bytes) => `${(bytes / 1e6).toFixed(0)} MB`).join(', ')}\n`,
  );
}

async function runMost(bench: Bench, seconds: number): Promise<void> {
  const rows = [
    [
      'frames/s asked for',
      'cameras',
      'least frames/s',
      'all together',
      'CPU, cores',
      'memory, MB',
      'later, MB',
    ],
  ];
  for (const fps of [2, 5]) {
    for (const count of tried) {
      const usages: Usage[] = [];
      const figures = await besideCameras(bench, count, { fps, hasGate: false }, async () => {
        usages.push(await usageOf(bench.service.pid));
        await sleep(seconds * 1000);
        usages.push(await usageOf(bench.service.pid));
      });
      const [before, after] = usages;
      if (before === undefined || after === undefined) return;
      const least = Math.min(...figures);
      rows.push([
        String(fps),
        String(count),
        least.toFixed(1),
        figures.reduce((sum, each) => sum + each, 0).toFixed(1),
        ((after.cpuSeconds - before.cpuSeconds) / seconds).toFixed(2),
        (before.residentBytes / 1e6).toFixed(0),
        (after.residentBytes / 1e6).toFixed(0),
      ]);
      await sleep(3000);
      if (least < heldShare * fps) break;
    }
  }
  console.log(formatTable(rows));
}

async function detection({ key }: Service): Promise<Request> {
  const sample = await readFile(new URL('../../../packages/server/assets/sample.jpg', import.meta.url));
  const boundary = 'lynceus-bench-boundary';
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="image"; filename="image"\r\n\r\n`;
  return {
    method: 'POST',
    path: '/predict/object_detection/?model_id=coco-fast',
    headers: { 'x-api-key': key, 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat([Buffer.from(head), sample, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  };
}
