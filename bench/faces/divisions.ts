/** Indices of the people that are enrolled; the others are strangers. */
export type Division = readonly number[];

/** All ways of enrolling half of the people, either half of an odd number; or as many random ones when there are more. */
export function divide(people: number, maxDivisions: number, random: () => number): readonly Division[] {
  const halves = [...new Set([Math.floor(people / 2), Math.ceil(people / 2)])];
  if (people <= 16) {
    const all = halves.flatMap((half) => subsets(people, half));
    if (all.length <= maxDivisions) return all;
  }
  return Array.from({ length: maxDivisions }, (_, at) =>
    shuffle(
      Array.from({ length: people }, (_value, index) => index),
      random,
    ).slice(0, halves[at % halves.length]),
  );
}

function subsets(people: number, size: number): Division[] {
  if (size === 0) return [[]];
  if (size > people) return [];
  return [
    ...subsets(people - 1, size),
    ...subsets(people - 1, size - 1).map((rest) => [...rest, people - 1]),
  ];
}

/** Fisher and Yates. */
export function shuffle<T>(items: readonly T[], random: () => number): T[] {
  const shuffled = [...items];
  for (let at = shuffled.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    const [a, b] = [shuffled[at], shuffled[other]];
    if (a !== undefined && b !== undefined) [shuffled[at], shuffled[other]] = [b, a];
  }
  return shuffled;
}
