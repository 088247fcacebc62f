/** A part of a longer list, and where the next part begins. */
export interface Page<Item, Position> {
  readonly items: readonly Item[];
  /** Of the last item, for what comes after it; null at the end of the list. */
  readonly next: Position | null;
}

/** What part of a list is wanted: at most `limit` items after a position, from the beginning without one. */
export interface PageRequest<Position> {
  readonly limit: number;
  readonly after: Position | undefined;
}

/** Makes a page of rows that were read with one more than `limit`: the one too many tells that there is a next page. */
export function toPage<Item, Position>(
  rows: readonly Item[],
  limit: number,
  positionOf: (item: Item) => Position,
): Page<Item, Position> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last !== undefined ? positionOf(last) : null };
}
