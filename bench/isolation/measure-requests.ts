import type { LoadProcess } from './load-process.js';
import type { Prepared, Resource } from './resources.js';

/** Blocks of requests alone and blocks beside the other account, in turns, so that other work on the machine slows both alike. */
const blocks = 4;

/** Medians of ordinary requests, one after the other. */
export interface RequestTimes {
  readonly aloneMs: number;
  readonly besideMs: number;
}

export async function measureTimes(own: Prepared, other: LoadProcess, times: number): Promise<RequestTimes> {
  const { signal } = new AbortController();
  // Models are loaded, connections are open.
  await own.ordinary(signal);
  const [alone, beside]: [number[], number[]] = [[], []];
  const block = Math.ceil(times / blocks);
  for (let round = 0; round < blocks; round += 1) {
    alone.push(...(await timeEach(block, () => own.ordinary(signal))));
    await other.start();
    try {
      beside.push(...(await timeEach(block, () => own.ordinary(signal))));
    } finally {
      await other.stop();
    }
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
  other: LoadProcess,
  times: number,
): Promise<{ readonly passed: number; readonly perSecond: number }> {
  const { ownAtOnce } = resource;
  const { signal } = new AbortController();
  let answered = 0;
  let first: Promise<Mark> | undefined;
  let last: Promise<Mark> | undefined;
  const mark = async (): Promise<Mark> => ({ others: await other.answered(), at: performance.now() });
  const ask = async () => {
    while (last === undefined) {
      await own.ordinary(signal);
      answered += 1;
      if (answered === ownAtOnce) first = mark();
      if (answered === ownAtOnce + times) last = (first ?? mark()).then(mark);
    }
  };
  await other.start();
  try {
    await Promise.all(Array.from({ length: ownAtOnce }, ask));
    const [before, after] = [await first, await last];
    if (!before || !after) throw new Error(`${resource.name}: too few answers`);
    const others = after.others - before.others;
    return { passed: others / times, perSecond: (1000 * others) / (after.at - before.at) };
  } finally {
    await other.stop();
  }
}

/** How many answers the other account had at a time. */
interface Mark {
  readonly others: number;
  readonly at: number;
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
