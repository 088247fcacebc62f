import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEventLoopDelay } from '../event-loop.js';
import { type Service, startService } from '../service.js';
import { formatTable } from '../table.js';
import { compareWithBare } from './against-bare.js';
import { measureGeneral } from './general.js';
import { type Images, writePhotos } from './images.js';
import { type Request, sendLoad } from './load.js';
import { type Operation, prepareOperations } from './operations.js';

/** The service against bare loops of the same work, latencies, the serving thread's delay, and where the time goes. */
export async function runSpeed({ data, seconds }: { readonly data: string; readonly seconds: number }) {
  const folder = await mkdtemp(join(tmpdir(), 'lynceus-speed-'));
  try {
    const images = await writePhotos(data, folder);
    await compareOperations(images, seconds);
    console.log(await measureGeneral(images, { data, folder, seconds }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function compareOperations(images: Images, seconds: number): Promise<void> {
  const processes = availableParallelism();
  const operations = await prepareOperations(images);
  const service = await startService();
  try {
    const requestsOf = ({ requestFor }: Operation) =>
      images.jpegs.map((jpeg) => requestFor(service.key, jpeg));
    const rows = [['operation', 'images/s', 'CPU ms an image', 'bare loop CPU ms', 'ratio']];
    for (const operation of operations) {
      const bare = { images: images.paths, work: operation.work, seconds };
      const { load, serviceCpuMs, bareCpuMs, ratio } = await compareWithBare(
        service,
        requestsOf(operation),
        bare,
        { processes, clients: 4 * processes, rounds: 3 },
      );
      rows.push([
        operation.name,
        ...[load.perSecond, serviceCpuMs, bareCpuMs].map((n) => n.toFixed(1)),
        ratio.toFixed(2),
      ]);
    }
    console.log(`640x480 JPEGs, ${processes} cores, all processes of the service counted`);
    console.log(`${formatTable(rows)}\n`);
    for (const operation of operations)
      console.log(await latencies(operation.name, service, requestsOf(operation), seconds));
    console.log(await eventLoopDelay(service));
  } finally {
    await service.stop();
  }
}

async function latencies(name: string, service: Service, requests: readonly Request[], seconds: number) {
  const rows = [[`${name}: clients`, 'images/s', 'p50 ms', 'p95 ms', 'p99 ms', 'answers']];
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
  const { p50Ms, p99Ms, maxMs } = await readEventLoopDelay(service);
  const [p50, p99, longest] = [p50Ms, p99Ms, maxMs].map((ms) => ms.toFixed(1));
  return `event-loop delay of the serving process: p50 ${p50} ms, p99 ${p99} ms, longest ${longest} ms`;
}
