/** Pairs of classes of which one was taken for the other, the most frequent first. */
export function confusions(labels: readonly string[], confusion: readonly (readonly number[])[]) {
  return confusion
    .flatMap((row, shown) =>
      row.map((count, answered) => ({
        shown: labels[shown] ?? String(shown),
        answered: labels[answered] ?? String(answered),
        count: shown === answered ? 0 : count,
      })),
    )
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
}
