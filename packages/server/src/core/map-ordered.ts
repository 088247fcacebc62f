/**
 * Works on items as they come, on at most `limit` at once, and answers in their order. What is done early waits for those before
 * it and counts as well, so that memory is bounded. A failure of `work`, or of the items, is thrown in its place.
 */
export async function* mapOrdered<Item, Result>(
  items: AsyncIterable<Item> | Iterable<Item>,
  limit: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result, void, undefined> {
  const queue: Promise<Result>[] = [];
  try {
    for await (const next of orError(items)) {
      const result = 'item' in next ? work(next.item) : Promise.reject(next.error);
      // Thrown when its turn comes.
      result.catch(() => undefined);
      queue.push(result);
      if (queue.length < limit) continue;
      const [first] = queue.splice(0, 1);
      if (first) yield await first;
    }
    for (let first = queue.shift(); first; first = queue.shift()) yield await first;
  } finally {
    await Promise.allSettled(queue);
  }
}

/** Items, and where they end with an error, that as the last one. */
async function* orError<Item>(items: AsyncIterable<Item> | Iterable<Item>) {
  try {
    for await (const item of items) yield { item };
  } catch (error) {
    yield { error };
  }
}
