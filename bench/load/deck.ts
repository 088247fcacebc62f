/** Deals each item as often as its weight says, in an order that differs from round to round. */
export function createDeck<Item extends { readonly weight: number }>(
  items: readonly Item[],
  random = Math.random,
): () => Item {
  const round = items.flatMap((item) => Array.from({ length: item.weight }, () => item));
  let rest: Item[] = [];
  return () => {
    if (rest.length === 0) rest = [...round];
    const [dealt] = rest.splice(Math.floor(random() * rest.length), 1);
    if (dealt === undefined) throw new Error('nothing to deal: give one item of weight 1 at least');
    return dealt;
  };
}
