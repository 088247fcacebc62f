/** Waits for each, so that none fails unheard; then throws what the first of them threw. */
export async function settleAll(work: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(work)) if (result.status === 'rejected') throw result.reason;
}
