import type { TaskName } from './registry.js';

/** Tasks that use the result of another one, with that task; all others are independent. */
const buildsOn: Readonly<Partial<Record<string, TaskName>>> = { segment: 'detect' } satisfies Partial<
  Record<TaskName, TaskName>
>;

/**
 * The calls of a job as chains that may run in parallel: within a chain, calls depend on each other and keep their
 * order. Chains come in the order of their first calls.
 */
export function chainsOf<Call extends { readonly task: string }>(calls: readonly Call[]): Call[][] {
  const chains = new Map<string, Call[]>();
  for (const call of calls) {
    const name = buildsOn[call.task] ?? call.task;
    chains.set(name, [...(chains.get(name) ?? []), call]);
  }
  return [...chains.values()];
}

interface LikelyTime {
  /** For an image of 640x480. */
  readonly leastMs: number;
  /** For each further megapixel. */
  readonly megapixelMs: number;
}

/** By `npm run bench -- speed`, in one process; every other task takes less. */
const likelyTimes: Readonly<Partial<Record<string, LikelyTime>>> = {
  detect: { leastMs: 56, megapixelMs: 3 },
  segment: { leastMs: 163, megapixelMs: 0 },
  // Of large images between 7 and 57, by how many lines they have.
  readText: { leastMs: 79, megapixelMs: 30 },
  faces: { leastMs: 38, megapixelMs: 38 },
  classify: { leastMs: 36, megapixelMs: 1 },
} satisfies Partial<Record<TaskName, LikelyTime>>;

/**
 * Indexes of chains, of the one that likely takes longest first (Graham, SIAM Journal on Applied Mathematics 17, 1969): begun last, it
 * would run alone in the end.
 */
export function longestFirst(
  chains: readonly (readonly { readonly task: string }[])[],
  pixels: number,
): number[] {
  const furtherMegapixels = Math.max(0, pixels - 640 * 480) / 1e6;
  const ms = chains.map((chain) =>
    chain.reduce((sum, { task }) => {
      const { leastMs = 0, megapixelMs = 0 } = likelyTimes[task] ?? {};
      return sum + leastMs + megapixelMs * furtherMegapixels;
    }, 0),
  );
  return [...chains.keys()].sort((a, b) => (ms[b] ?? 0) - (ms[a] ?? 0));
}
