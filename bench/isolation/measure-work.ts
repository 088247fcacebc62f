import { setTimeout as sleep } from 'node:timers/promises';
import type { Job, LynceusClient } from '@lynceus/client';
import { median } from './measure-requests.js';
import type { Tenant } from './tenant.js';
import type { WorkResource } from './work-resources.js';

/** Pieces that the other account has waiting or running whenever the measured account asks for one. */
const unfinishedAtOnce = 4;
const pollMs = 100;

export interface WorkTimes {
  /** Pieces of the other account that began while one waited; the most of all times. */
  readonly passed: number;
  /** Medians of the time from asking to the beginning; none alone unless it is timed. */
  readonly aloneMs?: number;
  readonly besideMs: number;
}

export async function measureWork(
  { prepare }: WorkResource,
  own: Tenant,
  other: Tenant,
  { times, isTimed }: { readonly times: number; readonly isTimed: boolean },
): Promise<WorkTimes> {
  const [askOwn, askOther] = [await prepare(own), await prepare(other)];
  const others: string[] = [];
  const readOthers = () => Promise.all(others.map((id) => other.client.jobs.read(id)));
  /** The other account has as much as ever to do, and some of it is under way. */
  const fill = async () => {
    for (;;) {
      const unfinished = (await readOthers()).filter((job) => job.ended_at === null);
      if (unfinished.length < unfinishedAtOnce) others.push((await askOther()).id);
      else if (unfinished.some(({ state }) => state === 'running')) return;
      else await sleep(pollMs);
    }
  };
  const [alone, beside, passed]: [number[], number[], number[]] = [[], [], []];
  for (let count = 0; count < times; count += 1) {
    if (isTimed) alone.push(waitOf(await untilEnded(own.client, await askOwn())));
    await fill();
    const job = await untilEnded(own.client, await askOwn());
    beside.push(waitOf(job));
    passed.push((await readOthers()).filter((one) => beganWhileWaiting(one, job)).length);
    // The next time alone begins with nothing of the other account.
    const unfinished = (await readOthers()).filter((one) => one.ended_at === null);
    await Promise.all(
      unfinished.map(async ({ id }) => untilEnded(other.client, await other.client.jobs.cancel(id))),
    );
  }
  return {
    passed: Math.max(...passed),
    besideMs: median(beside),
    ...(isTimed && { aloneMs: median(alone) }),
  };
}

async function untilEnded(client: LynceusClient, job: Job): Promise<Job> {
  let last = job;
  while (last.ended_at === null) {
    await sleep(pollMs);
    last = await client.jobs.read(job.id);
  }
  if (last.state === 'failed') throw new Error(`${last.kind} failed: ${last.error}`);
  return last;
}

function waitOf({ created_at: createdAt, started_at: startedAt }: Job): number {
  return Date.parse(startedAt ?? '') - Date.parse(createdAt);
}

/** By the times of the service, so that what a client takes to ask counts nothing. */
function beganWhileWaiting(one: Job, waiting: Job): boolean {
  const begunAt = Date.parse(one.started_at ?? '');
  return begunAt > Date.parse(waiting.created_at) && begunAt < Date.parse(waiting.started_at ?? '');
}
