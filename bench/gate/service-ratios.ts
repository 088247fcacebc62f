import { availableParallelism } from 'node:os';
import { startService } from '../service.js';
import { compareWithBare } from '../speed/against-bare.js';
import type { Images } from '../speed/images.js';
import { prepareOperations } from '../speed/operations.js';
import { median } from './judge.js';

/** Requests before anything counts, by time of one: V8 has compiled by then what every request needs. */
const measured = [
  { operation: 'v2, coco-fast', warmUpRequests: 600, seconds: 4, rounds: 4 },
  { operation: 'v1, all parts, basic', warmUpRequests: 60, seconds: 6, rounds: 3 },
] as const;

/** CPU of bare loops over CPU of all processes of the service at saturation. */
export async function measureServiceRatios(images: Images): Promise<ReadonlyMap<string, number>> {
  const processes = availableParallelism();
  const operations = await prepareOperations(images);
  const service = await startService();
  try {
    const ratios = new Map<string, number>();
    for (const { operation: name, warmUpRequests, seconds, rounds } of measured) {
      const operation = operations.find((other) => other.name === name);
      if (!operation) throw new Error(`there is no operation ${name}`);
      const requests = images.jpegs.map((jpeg) => operation.requestFor(service.key, jpeg));
      const bare = { images: images.paths, work: operation.work, seconds };
      const { ratios: byRound } = await compareWithBare(service, requests, bare, {
        processes,
        clients: 4 * processes,
        rounds,
        warmUp: (sent) => sent >= warmUpRequests,
      });
      ratios.set(`bare loop / service: ${name}`, median(byRound));
    }
    return ratios;
  } finally {
    await service.stop();
  }
}
