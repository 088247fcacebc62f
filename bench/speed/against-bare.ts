import { usageOf } from '../processes.js';
import type { Service } from '../service.js';
import { runBareProcesses } from './bare.js';
import type { BareLoopTask } from './bare-loop.js';
import { type Load, type Request, sendLoad } from './load.js';

export interface Comparison {
  /** CPU milliseconds an image: of the bare loop, and of all processes of the service. */
  readonly bareCpuMs: number;
  readonly serviceCpuMs: number;
  /** bareCpuMs / serviceCpuMs: 1 would be a service that costs nothing. */
  readonly ratio: number;
  /** The same of each round. */
  readonly ratios: readonly number[];
  readonly load: Load;
}

/**
 * CPU an image of the service at saturation against the same work in bare loops, in turns, so that a change of
 * the machine's speed affects both. The load generator's own CPU does not count.
 */
export async function compareWithBare(
  service: Service,
  requests: readonly Request[],
  bare: BareLoopTask,
  {
    processes,
    clients,
    rounds,
    warmUp = (_, ms) => ms >= 45_000,
  }: {
    readonly processes: number;
    readonly clients: number;
    readonly rounds: number;
    /** When the service has answered enough requests for everything to count; after 45 seconds unless given. */
    readonly warmUp?: (answered: number, elapsedMs: number) => boolean;
  },
): Promise<Comparison> {
  const forSeconds = (seconds: number) => ({
    clients,
    until: (_: number, ms: number) => ms >= seconds * 1000,
  });
  // Both sides are compiled and warm before anything counts.
  await sendLoad(service.url, requests, { clients, until: warmUp });
  let bareCpu = 0;
  let bareImages = 0;
  let serviceCpu = 0;
  let serviceImages = 0;
  const ratios: number[] = [];
  let last: Load | undefined;
  for (let round = 0; round < rounds; round++) {
    const alone = await runBareProcesses(bare, processes);
    bareCpu += alone.cpuSeconds;
    bareImages += alone.images;
    const before = await usageOf(service.pid);
    last = await sendLoad(service.url, requests, forSeconds(bare.seconds));
    const cpuSeconds = (await usageOf(service.pid)).cpuSeconds - before.cpuSeconds;
    serviceCpu += cpuSeconds;
    serviceImages += last.images;
    ratios.push(alone.cpuSeconds / alone.images / (cpuSeconds / last.images));
  }
  if (!last) throw new Error('at least one round');
  const bareCpuMs = (1000 * bareCpu) / bareImages;
  const serviceCpuMs = (1000 * serviceCpu) / serviceImages;
  return { bareCpuMs, serviceCpuMs, ratio: bareCpuMs / serviceCpuMs, ratios, load: last };
}
