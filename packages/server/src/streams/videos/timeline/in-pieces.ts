const itemsOfPiece = 200;

/** Items in lists of some hundred: few enough to be written at once, and enough for a chunk of an answer. */
export async function* inPieces<Item>(items: AsyncIterable<Item>): AsyncGenerator<readonly Item[]> {
  let piece: Item[] = [];
  for await (const item of items) {
    piece.push(item);
    if (piece.length < itemsOfPiece) continue;
    yield piece;
    piece = [];
  }
  if (piece.length > 0) yield piece;
}
