/** Like `Promise.all(items.map(work))` with at most `limit` running: the service's queue has a bound. */
export async function concurrently<Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const pending = items.entries();
  const runWorker = async () => {
    for (const [index, item] of pending) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: limit }, runWorker));
  return results;
}
