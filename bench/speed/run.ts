import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { startEngine } from '../engine.js';
import { type Service, startService } from '../service.js';
import { formatTable } from '../table.js';
import { compareWithBare } from './against-bare.js';
import type { BareModel } from './bare-loop.js';
import { type Request, sendLoad } from './load.js';
import { fastDetection, generalRecognition } from './requests.js';

/** The service against bare loops of the same work, latencies, and the serving thread's delay. */
export async function runSpeed({ data, seconds }: { readonly data: string; readonly seconds: number }) {
  const folder = await mkdtemp(join(tmpdir(), 'lynceus-speed-'));
  const processes = availableParallelism();
  const engine = await startEngine();
  const models = {
    ssd: { dir: engine.ref('coco-ssd').dir, width: 300, height: 300, thresholds: true },
    centerNet: { dir: engine.ref('centernet-coco').dir, width: 512, height: 384, thresholds: true },
    classifier: { dir: engine.ref('inception-v3').dir, width: 299, height: 299, thresholds: false },
  } satisfies Record<string, BareModel>;
  await engine.close();
  const service = await startService();
  try {
    const { paths, jpegs } = await writePhotographs(data, folder);
    const operations = [
      {
        name: 'v2, coco-fast',
        requests: jpegs.map((jpeg) => fastDetection(service.key, jpeg)),
        models: [models.ssd],
      },
      {
        name: 'v1, classes and objects, basic',
        requests: jpegs.map((jpeg) => generalRecognition(service.key, jpeg, 'basic', 'classes,objects')),
        models: [models.ssd, models.centerNet, models.classifier],
      },
    ];
    const rows = [['operation', 'pictures/s', 'CPU ms a picture', 'bare loop CPU ms', 'ratio']];
    for (const { name, requests, models: used } of operations) {
      const bare = { pictures: paths, models: used, seconds };
      const { load, serviceCpuMs, bareCpuMs, ratio } = await compareWithBare(service, requests, bare, {
        processes,
        clients: 4 * processes,
        rounds: 3,
      });
      rows.push([
        name,
        ...[load.perSecond, serviceCpuMs, bareCpuMs].map((n) => n.toFixed(1)),
        ratio.toFixed(2),
      ]);
    }
    console.log(`640x480 JPEGs, ${processes} cores, all processes of the service counted`);
    console.log(`${formatTable(rows)}\n`);
    for (const { name, requests } of operations)
      console.log(await latencies(name, service, requests, seconds));
    console.log(await eventLoopDelay(service));
  } finally {
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function latencies(name: string, service: Service, requests: readonly Request[], seconds: number) {
  const rows = [[`${name}: clients`, 'pictures/s', 'p50 ms', 'p95 ms', 'p99 ms', 'answers']];
  for (const clients of [1, 2, 8, 32]) {
    const load = await sendLoad(service.url, requests, { clients, until: (_, ms) => ms >= seconds * 1000 });
    const { perSecond, p50Ms, p95Ms, p99Ms, statuses } = load;
    const answers = Object.entries(statuses).map(([status, count]) => `${status}: ${count}`);
    rows.push([
      String(clients),
      ...[perSecond, p50Ms, p95Ms, p99Ms].map((n) => n.toFixed(1)),
      answers.join(', '),
    ]);
  }
  return `${formatTable(rows)}\n`;
}

/** As the service itself measured it over the whole run; an idle loop shows the 10 ms of its own sampling. */
async function eventLoopDelay(service: Service): Promise<string> {
  const text = await (await fetch(service.metricsUrl)).text();
  const ms = (name: string) =>
    (1000 * Number(new RegExp(`^nodejs_eventloop_lag_${name}_seconds (\\S+)`, 'm').exec(text)?.[1])).toFixed(
      1,
    );
  return `event-loop delay of the serving process: p50 ${ms('p50')} ms, p99 ${ms('p99')} ms, longest ${ms('max')} ms`;
}

/** Up to 16 photographs of the data folder as 640x480 JPEGs. */
async function writePhotographs(data: string, folder: string) {
  const images = join(data, 'coco', 'images');
  const names = (await readdir(images)).filter((name) => name.endsWith('.jpg')).slice(0, 16);
  const jpegs = await Promise.all(
    names.map((name) =>
      sharp(join(images, name)).resize(640, 480, { fit: 'cover' }).jpeg({ quality: 85 }).toBuffer(),
    ),
  );
  const paths = names.map((name) => join(folder, name));
  await Promise.all(jpegs.map((jpeg, index) => writeFile(paths[index] ?? '', jpeg)));
  return { paths, jpegs };
}
