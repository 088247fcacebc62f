import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startService } from '../service.js';
import { writePhotos } from '../speed/images.js';
import { type Load, type Request, sendLoad } from '../speed/load.js';
import { fastDetection, generalRecognition } from '../speed/requests.js';
import { formatTable } from '../table.js';
import { readRaccoons as readBoxedRaccoons, readUnrelated } from '../train-detector/raccoons.js';
import { readRaccoons } from '../training/images.js';
import { serviceCalls, type TrainedTask } from './service-calls.js';

const tasks: readonly TrainedTask[] = ['classification', 'object_detection'];
/** Maximum ratio of the 95th percentile during a training run to that without one. */
const mostRatio = 1.5;

/** Predictions while a model is trained, in turns with predictions alone: the ratio of their 95th percentiles. */
export async function runTrainBeside({
  data,
  seconds,
  rounds,
}: {
  readonly data: string;
  readonly seconds: number;
  readonly rounds: number;
}): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'lynceus-train-beside-'));
  const service = await startService();
  try {
    const { jpegs } = await writePhotos(data, folder);
    const loads: readonly { name: string; clients: number; requests: readonly Request[] }[] = [
      {
        name: 'v2, fast detector',
        clients: 1,
        requests: jpegs.map((jpeg) => fastDetection(service.key, jpeg)),
      },
      {
        name: 'v2, fast detector',
        clients: 4,
        requests: jpegs.map((jpeg) => fastDetection(service.key, jpeg)),
      },
      {
        name: 'v1, classes and objects',
        clients: 2,
        requests: jpegs.map((jpeg) => generalRecognition(service.key, jpeg, 'basic', 'classes,objects')),
      },
    ];
    const calls = serviceCalls(service);
    const datasets = await fillDatasets(calls, data);
    const rows = [
      ['while it trains', 'stages', 'predictions', 'clients', 'idle p95 ms', 'p95 ms', 'ratio', 'errors'],
    ];
    let worst = 0;
    for (const { requests, clients } of loads) await measure(service.url, requests, clients, 3);
    for (const task of tasks) {
      for (const { name, clients, requests } of loads) {
        const idle: Load[] = [];
        const beside: Load[] = [];
        const stages = new Set<string>();
        for (let round = 0; round < rounds; round += 1) {
          idle.push(await measure(service.url, requests, clients, seconds));
          const training = await calls.startTraining(task, datasets[task]);
          while (((await training.read()).progress?.stage ?? null) === null) await sleep(100);
          const watch = watchTraining(training.read, stages);
          beside.push(await measure(service.url, requests, clients, seconds, watch.hasEnded));
          await watch.stop();
          await training.remove();
        }
        const [p95Idle, p95Beside] = [
          median(idle.map(({ p95Ms }) => p95Ms)),
          median(beside.map(({ p95Ms }) => p95Ms)),
        ];
        const ratio = p95Beside / p95Idle;
        worst = Math.max(worst, ratio);
        const errors = beside.reduce((sum, { statuses, images }) => sum + countAll(statuses) - images, 0);
        rows.push([
          ...[task, [...stages].join(' '), name, String(clients)],
          ...[p95Idle.toFixed(1), p95Beside.toFixed(1), ratio.toFixed(2), String(errors)],
        ]);
      }
    }
    console.log(formatTable(rows));
    console.log(`worst ratio ${worst.toFixed(2)}; at most ${mostRatio} is guaranteed`);
    if (worst > mostRatio) process.exitCode = 1;
  } finally {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function fillDatasets(calls: ReturnType<typeof serviceCalls>, data: string) {
  const classification = await calls.makeDataset('classification');
  for (const { title, images } of await readRaccoons(data))
    for (const { path } of images) await calls.addClassified(classification, path, title);
  const detection = await calls.makeDataset('object_detection');
  const classId = await calls.makeClass(detection, 'raccoon');
  for (const image of [...(await readBoxedRaccoons(data)), ...(await readUnrelated(data))])
    await calls.addBoxed(detection, classId, image);
  return { classification, object_detection: detection };
}

function measure(
  url: string,
  requests: readonly Request[],
  clients: number,
  seconds: number,
  isOver: () => boolean = () => false,
): Promise<Load> {
  return sendLoad(url, requests, { clients, until: (_sent, ms) => ms >= seconds * 1000 || isOver() });
}

type ReadJob = Awaited<ReturnType<ReturnType<typeof serviceCalls>['startTraining']>>['read'];

/** Follows the training, so that nothing is counted that is not beside it. */
function watchTraining(read: ReadJob, stages: Set<string>) {
  let state: string | undefined = 'running';
  let isStopped = false;
  const follow = async () => {
    while (!isStopped && state === 'running') {
      const job = await read();
      state = job.state;
      if (state === 'failed') throw new Error(`the training failed: ${job.error}`);
      if (state === 'running' && job.progress?.stage) stages.add(job.progress.stage);
      await sleep(250);
    }
  };
  const following = follow();
  following.catch(() => undefined);
  return {
    hasEnded: () => state !== 'running',
    async stop() {
      isStopped = true;
      await following;
    },
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function countAll(statuses: Load['statuses']): number {
  return Object.values(statuses).reduce((sum, answers) => sum + answers, 0);
}
