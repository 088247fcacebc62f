/** The same items in batches of so many; the last one may have fewer. */
export async function* batchesOf<T>(
  items: AsyncIterable<T> | Iterable<T>,
  size: number,
): AsyncIterable<readonly T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
