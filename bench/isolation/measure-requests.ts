import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Prepared, Resource } from './resources.js';

/** Blocks of requests alone and blocks beside the other account, in turns, so that other work on the machine slows both alike. */
const blocks = 4;
/** Within which the account that asks without end has its first answer. */
const firstAnswerMs = 120_000;

/** Medians of ordinary requests, one after the other. */
export interface RequestTimes {
  readonly aloneMs: number;
  readonly besideMs: number;
}

export async function measureTimes(
  resource: Resource,
  own: Prepared,
  other: Prepared,
  times: number,
): Promise<RequestTimes> {
  const { signal } = new AbortController();
  // Models are loaded, connections are open.
  await own.ordinary(signal);
  const [alone, beside]: [number[], number[]] = [[], []];
  const block = Math.ceil(times / blocks);
  for (let round = 0; round < blocks; round += 1) {
    alone.push(...(await timeEach(block, () => own.ordinary(signal))));
    const load = await startLoad(resource, other);
    beside.push(...(await timeEach(block, () => own.ordinary(signal))));
    await load.stop();
  }
  return { aloneMs: median(alone), besideMs: median(beside) };
}

/**
 * Answers to the account that asks without end, for each answer to one that always has a few requests under way. Where accounts take turns
 * it is one, if both ask for the same; in a single line it is the ratio of their requests under way. Since a request of either
 * account always waits, neither the time that clients take nor other work on the machine changes it.
 */
export async function countPassed(
  resource: Resource,
  own: Prepared,
  other: Prepared,
  times: number,
): Promise<{ readonly passed: number; readonly perSecond: number }> {
  const { ownAtOnce } = resource;
  const { signal } = new AbortController();
  const load = await startLoad(resource, other);
  let answered = 0;
  let before = 0;
  let since = performance.now();
  let counted: { readonly passed: number; readonly perSecond: number } | undefined;
  const ask = async () => {
    while (counted === undefined) {
      await own.ordinary(signal);
      answered += 1;
      if (answered === ownAtOnce) {
        before = load.answered();
        since = performance.now();
      }
      if (answered !== ownAtOnce + times) continue;
      const others = load.answered() - before;
      counted = { passed: others / times, perSecond: (1000 * others) / (performance.now() - since) };
    }
  };
  try {
    await Promise.all(Array.from({ length: ownAtOnce }, ask));
  } finally {
    await load.stop();
  }
  if (!counted) throw new Error(`${resource.name}: too few answers`);
  return counted;
}

/** Keeps the requests of an account under way; resolves when the first was answered. */
async function startLoad({ atOnce }: Pick<Resource, 'atOnce'>, { endless, occupy }: Prepared) {
  const end = new AbortController();
  // Each request under way listens.
  setMaxListeners(0, end.signal);
  let answered = 0;
  let refusal: unknown;
  await occupy?.(end.signal);
  const loops = Array.from({ length: atOnce }, async () => {
    while (!end.signal.aborted) {
      await endless(end.signal).then(
        () => {
          answered += 1;
        },
        // Refused because of its limits: it asks again at once, as a client without manners does.
        (error: unknown) => {
          refusal = error;
          return sleep(10);
        },
      );
    }
  });
  const stop = async () => {
    end.abort();
    await Promise.all(loops);
  };
  // Where it occupies all that it may have, every further request is refused.
  const hasBegun = () => answered > 0 || (occupy !== undefined && refusal !== undefined);
  for (let waitedMs = 0; !hasBegun(); waitedMs += 20) {
    if (waitedMs > firstAnswerMs) {
      await stop();
      throw new Error('the account that asks without end has no answer', { cause: refusal });
    }
    await sleep(20);
  }
  return { answered: () => answered, stop };
}

async function timeEach(times: number, ask: () => Promise<unknown>): Promise<number[]> {
  const all: number[] = [];
  for (let count = 0; count < times; count += 1) {
    const since = performance.now();
    await ask();
    all.push(performance.now() - since);
  }
  return all;
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
