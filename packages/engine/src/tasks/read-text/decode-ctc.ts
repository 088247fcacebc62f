import { plainLetters } from './languages.js';

/** A character that was read, and the steps that it lasted, both ends inside. */
export interface ReadCharacter {
  /** Index into the alphabet plus one. */
  readonly symbol: number;
  readonly text: string;
  /** Probability, 0 to 1: the highest of its steps. */
  readonly score: number;
  readonly start: number;
  readonly end: number;
}

interface Run {
  readonly symbol: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Best-path decoding (Graves, Fernandez, Gomez, Schmidhuber 2006): repeated classes are one character, the blank
 * separates. A letter and the same one with an accent that follow each other without a blank are one letter too, which was
 * read in two ways: the more probable counts. The ligature œ and a part of it that follow each other closely are the ligature. `classes` are indices into the alphabet plus one, 0 for the blank.
 */
export function decodeCtc(
  classes: ArrayLike<bigint | number>,
  scores: ArrayLike<number>,
  alphabet: readonly string[],
): ReadCharacter[] {
  const textOf = ({ symbol }: Run) => alphabet[symbol - 1];
  const characters: ReadCharacter[] = [];
  let readings: Run[] = [];
  for (const run of runsOf(classes)) {
    const text = textOf(run);
    const [first] = readings;
    const before = first && textOf(first);
    if (text !== undefined && before !== undefined && areVariants(before, text)) {
      readings.push(run);
      continue;
    }
    close();
    readings = text === undefined ? [] : [run];
  }
  close();
  return withWholeLigatures(characters);

  function close(): void {
    const [first] = readings;
    const last = readings.at(-1);
    if (first === undefined || last === undefined) return;
    let best = { total: -1, score: 0, symbol: 0, text: '' };
    for (const symbol of new Set(readings.map((run) => run.symbol))) {
      const weight = weigh(
        readings.filter((run) => run.symbol === symbol),
        scores,
      );
      const text = alphabet[symbol - 1];
      if (text !== undefined && weight.total > best.total) best = { ...weight, symbol, text };
    }
    const { symbol, text, score } = best;
    characters.push({ symbol, text, score, start: first.start, end: last.end });
  }
}

/** Steps of the same class, without those of the blank but with their gaps. */
function* runsOf(classes: ArrayLike<bigint | number>): Generator<Run> {
  let start = 0;
  for (let step = 0; step < classes.length; step += 1) {
    const symbol = Number(classes[step]);
    if (step + 1 < classes.length && Number(classes[step + 1]) === symbol) continue;
    yield { symbol, start, end: step };
    start = step + 1;
  }
}

function weigh(runs: readonly Run[], scores: ArrayLike<number>): { total: number; score: number } {
  let [total, score] = [0, 0];
  for (const { start, end } of runs) {
    for (let step = start; step <= end; step += 1) {
      total += scores[step] ?? 0;
      score = Math.max(score, scores[step] ?? 0);
    }
  }
  return { total, score };
}

/** Whether two characters are the same letter, of which at least one has an accent, or a ligature and a part of it. */
function areVariants(a: string, b: string): boolean {
  const [plainA, plainB] = [plainLetters(a), plainLetters(b)];
  const arePlain = plainA === a && plainB === b;
  return !arePlain && (plainA.includes(plainB) || plainB.includes(plainA));
}

/** The letters that half of the ligature œ resembles. None of them stands beside it in a word. */
const partsOfLigature = /^[œæoe]$/i;
/** Steps from the end of a part to the start of the next: one blank between them. A letter of its own is farther away. */
const maxPartSteps = 2;

/** It is the widest letter, so that its halves are read as two. */
function withWholeLigatures(characters: readonly ReadCharacter[]): ReadCharacter[] {
  const whole: ReadCharacter[] = [];
  for (const character of characters) {
    const before = whole.at(-1);
    if (before === undefined || !areParts(before, character)) {
      whole.push(character);
      continue;
    }
    const isFirst = isLigature(before) && !(isLigature(character) && character.score > before.score);
    const { symbol, text, score } = isFirst ? before : character;
    whole[whole.length - 1] = { symbol, text, score, start: before.start, end: character.end };
  }
  return whole;
}

function areParts(a: ReadCharacter, b: ReadCharacter): boolean {
  return (
    (isLigature(a) || isLigature(b)) &&
    partsOfLigature.test(a.text) &&
    partsOfLigature.test(b.text) &&
    b.start - a.end <= maxPartSteps
  );
}

function isLigature({ text }: ReadCharacter): boolean {
  return text === 'œ' || text === 'Œ';
}
