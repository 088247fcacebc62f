/**
 * Works on items as they come, on at most `limit` at once, and answers in their order. What is done early waits for those before
 * it and counts as well, so that memory is bounded. A failure of `work` is thrown in its place.
 */
export async function* mapOrdered<Item, Result>(
  items: AsyncIterable<Item> | Iterable<Item>,
  limit: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result, void, undefined> {
  const queue: Promise<Result>[] = [];
  try {
    for await (const item of items) {
      const result = work(item);
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
