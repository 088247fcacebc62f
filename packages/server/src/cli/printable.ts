/** Control characters, and those that turn the direction of writing: a terminal obeys them. */
const commanding = /[\p{Cc}\p{Zl}\p{Zp}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A name that others chose, fit for a line of a terminal. */
export function toPrintable(text: string): string {
  return text.replace(commanding, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u${code.toString(16).padStart(4, '0')}`;
  });
}
