import { distance } from 'fastest-levenshtein';

/** Sums of edit distances and of characters wanted. */
export interface CharacterErrors {
  edits: number;
  editsWithoutSpaces: number;
  editsWithoutUmlauts: number;
  characters: number;
}

export function noErrors(): CharacterErrors {
  return { edits: 0, editsWithoutSpaces: 0, editsWithoutUmlauts: 0, characters: 0 };
}

/** Adds the edit distance from `read` to `wanted`. Full and half width are equal, and runs of white space count as one. */
export function addErrors(sums: CharacterErrors, wanted: string, read: string): void {
  const [want, have] = [plain(wanted), plain(read)];
  sums.characters += want.length;
  sums.edits += Math.min(distance(want, have), want.length);
  sums.editsWithoutSpaces += Math.min(distance(spaceless(want), spaceless(have)), want.length);
  sums.editsWithoutUmlauts += Math.min(distance(bare(want), bare(have)), want.length);
}

function plain(text: string): string {
  return text.normalize('NFKC').replace(/\s+/gu, ' ').trim();
}

function spaceless(text: string): string {
  return text.replaceAll(' ', '');
}

/** Without the dots of umlauts, and with a b for a sharp s: the letters a reader without them would write. */
function bare(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ß', 'B').toLowerCase();
}
