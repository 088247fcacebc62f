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
