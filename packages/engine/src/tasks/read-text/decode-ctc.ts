/** A character that was read, and the steps that it lasted, both ends inside. */
export interface ReadCharacter {
  readonly text: string;
  /** Probability, 0 to 1: the highest of its steps. */
  readonly score: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Best-path decoding (Graves, Fernandez, Gomez, Schmidhuber 2006): repeated classes are one character, the blank
 * separates. `classes` are indices into the alphabet plus one, 0 for the blank.
 */
export function decodeCtc(
  classes: ArrayLike<bigint | number>,
  scores: ArrayLike<number>,
  alphabet: readonly string[],
): ReadCharacter[] {
  const characters: ReadCharacter[] = [];
  let start = 0;
  for (let step = 0; step < classes.length; step += 1) {
    const symbol = Number(classes[step]);
    if (step + 1 < classes.length && Number(classes[step + 1]) === symbol) continue;
    const text = symbol > 0 ? alphabet[symbol - 1] : undefined;
    if (text !== undefined) {
      let score = 0;
      for (let at = start; at <= step; at += 1) score = Math.max(score, scores[at] ?? 0);
      characters.push({ text, score, start, end: step });
    }
    start = step + 1;
  }
  return characters;
}
