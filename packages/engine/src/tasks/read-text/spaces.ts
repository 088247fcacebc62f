import type { ReadCharacter } from './decode-ctc.js';

/**
 * Probability from which a gap holds a space, though the blank of CTC was more probable. Over 5,121 gaps of rendered
 * lines: highest where there is none .017, lowest where there is one .12.
 */
const minSpace = 0.05;
/** Scripts that are written without spaces. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u;

/**
 * What characters say, with the spaces that best-path decoding lost.
 * @param spaces the probability of a space at each step; without it only those that were read are given
 */
export function spellOut(characters: readonly ReadCharacter[], spaces?: ArrayLike<number>): string {
  let text = '';
  characters.forEach((character, index) => {
    text += character.text;
    const next = characters[index + 1];
    if (next && isParted(character, next, spaces ?? [])) text += ' ';
  });
  return text.replace(/\s+/gu, ' ').trim();
}

/** Whether two characters that follow each other have a space between them that was not read. */
export function isParted(before: ReadCharacter, after: ReadCharacter, spaces: ArrayLike<number>): boolean {
  if (unspaced.test(before.text) || unspaced.test(after.text)) return false;
  for (let step = before.end; step <= after.start; step += 1) {
    if ((spaces[step] ?? 0) >= minSpace) return true;
  }
  return false;
}
