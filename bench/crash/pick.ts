/** Any of them; undefined when there is none. */
export function pick<Item>(items: readonly Item[]): Item | undefined {
  return items[Math.floor(Math.random() * items.length)];
}

/** So many of them by chance, or all where there are fewer. */
export function anyOf<Item>(items: readonly Item[], count: number): readonly Item[] {
  const byChance = items.map((item) => ({ item, at: Math.random() })).sort((a, b) => a.at - b.at);
  return byChance.slice(0, count).map(({ item }) => item);
}
