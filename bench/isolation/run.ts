import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { haveFfmpeg } from '#server/streams/fixtures/programs.js';
import { allResources } from './all-resources.js';
import { startLoadProcess } from './load-process.js';
import { countPassed, measureTimes, type RequestTimes } from './measure-requests.js';
import { measureStreamSlots } from './measure-stream-slots.js';
import { measureWork } from './measure-work.js';
import { startTenants, type Tenant } from './tenant.js';
import { workResources } from './work-resources.js';

/** What one account has of something that accounts share, beside another account that asks without end. */
export interface Isolation extends Partial<RequestTimes> {
  readonly resource: string;
  /** Requests or pieces of work of the other account that came before one; null where only the time counts. */
  readonly passed: number | null;
  readonly isFair: boolean;
}

/** An ordinary request takes three times as long as alone at most where no more requests are answered before it. */
const maxPassed = 3;
/** Work of minutes begins after the one piece that runs, or one that begins at the same time. */
const maxPassedByWork = 1;
const maxTurnMs = 60_000;
/** What lies in the service comes back each time; a machine that stops the account's client for a moment does not. */
const maxRounds = 3;

const streamSlots = 'places for live streams';

export interface IsolationOptions {
  readonly times?: number;
  /** A part of the name of what is measured; all unless given. */
  readonly only?: string | undefined;
  /** Times of requests too, which depend on what else the machine does. */
  readonly isTimed?: boolean;
}

/** @param onRow called after each resource */
export async function measureIsolation(
  { times = 20, only = '', isTimed = false }: IsolationOptions = {},
  onRow: (row: Isolation) => void = () => undefined,
): Promise<readonly Isolation[]> {
  const folder = await mkdtemp(join(tmpdir(), 'lynceus-isolation-'));
  const { service, own, other } = await startTenants(folder);
  const { client: _, ...address } = other;
  const load = startLoadProcess(address, isTimed);
  const rows: Isolation[] = [];
  const add = (row: Isolation) => {
    rows.push(row);
    onRow(row);
  };
  const isWanted = ({ name }: { readonly name: string }) => name.includes(only);
  try {
    for (const resource of allResources.filter(isWanted)) {
      if (resource.isTimedOnly && !isTimed) continue;
      const [prepared] = await Promise.all([resource.prepare(own), load.prepare(resource)]);
      const requests = resource.isSlow ? Math.max(3, Math.ceil(times / 4)) : times;
      const measured = isTimed ? await measureTimes(prepared, load, requests) : {};
      const count = async () => {
        const { passed, perSecond } = await countPassed(resource, prepared, load, requests);
        return { passed, isFair: passed <= maxPassed || perSecond <= (resource.maxPerSecond ?? 0) };
      };
      let counted = await count();
      for (let round = 1; round < maxRounds && !counted.isFair; round += 1) counted = await count();
      add({ resource: resource.name, ...measured, ...counted });
    }
    for (const resource of workResources.filter(isWanted)) {
      const measured = await measureWork(resource, own, other, {
        times: Math.max(2, Math.ceil(times / 8)),
        isTimed,
      });
      add({ resource: resource.name, ...measured, isFair: measured.passed <= maxPassedByWork });
    }
    if (isWanted({ name: streamSlots })) add(await measureSlots(own, other, isTimed));
    return rows;
  } finally {
    load.end();
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Whether there are the programs that all of it needs. */
export function canMeasureIsolation(): boolean {
  return haveFfmpeg();
}

async function measureSlots(own: Tenant, other: Tenant, isTimed: boolean): Promise<Isolation> {
  const measured = await measureStreamSlots(own, other, isTimed);
  return { resource: streamSlots, ...measured, passed: null, isFair: measured.besideMs <= maxTurnMs };
}

export async function printIsolation(options: IsolationOptions): Promise<void> {
  const [before = 0] = loadavg();
  process.stdout.write(
    '| Shared by accounts | Passed by | Alone, ms | Beside, ms | Ratio |\n|---|---|---|---|---|\n',
  );
  await measureIsolation({ ...options, isTimed: true }, ({ resource, passed, aloneMs = 0, besideMs = 0 }) => {
    const cells = [Math.round(aloneMs), Math.round(besideMs), (besideMs / Math.max(1, aloneMs)).toFixed(1)];
    process.stdout.write(`| ${[resource, passed?.toFixed(1) ?? '', ...cells].join(' | ')} |\n`);
  });
  const [after = 0] = loadavg();
  process.stdout.write(
    `\nload of the machine, of ${availableParallelism()} cores: ${before.toFixed(1)} before, ${after.toFixed(1)} after\n`,
  );
}
