/**
 * Works on all items, on at most `limit` at once. After a failure no other item starts, and the failure is thrown once those
 * under way have ended.
 */
export async function forEachLimited<Item>(
  items: Iterable<Item>,
  limit: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  // One generator for all: a worker that fails ends it for the others.
  const rest = (function* () {
    yield* items;
  })();
  const runWorker = async () => {
    for (const item of rest) await work(item);
  };
  const outcomes = await Promise.allSettled(Array.from({ length: limit }, runWorker));
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
}
