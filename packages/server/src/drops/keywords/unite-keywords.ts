import { createKeywordForms, cutsOf, type KeywordForm } from './keyword-forms.js';
import { cutKeyword } from './keyword-text.js';

/** The keywords of an image in the two places that hold them; a format without IPTC has none there. */
export interface StoredKeywords {
  readonly iptc: readonly string[];
  readonly xmp: readonly string[];
  /** Those of `iptc` whose encoding is a guess: they are compared and shown, and never copied. */
  readonly guesses?: ReadonlySet<string>;
}

export interface Additions {
  /** Of those that were to be added, what was in neither place. */
  readonly added: readonly string[];
  /** To be appended, so that each place holds what the other does, and the added. */
  readonly toIptc: readonly string[];
  readonly toXmp: readonly string[];
}

/** All keywords once: those of IPTC first, in their order. Where one is the beginning of a long one, the long one counts. */
export function uniteKeywords(
  { iptc, xmp }: Pick<StoredKeywords, 'iptc' | 'xmp'>,
  formOf = createKeywordForms(),
): string[] {
  const all = [...iptc, ...xmp].map(formOf);
  const wholes = new Map<string, KeywordForm>();
  const cuts = keysOfCuts(all);
  for (const form of all.filter(({ isLong }) => isLong)) {
    for (const cut of cutsOf(form.key, cuts)) if (!wholes.has(cut)) wholes.set(cut, form);
  }
  const united = new Map<string, string>();
  for (const form of all) {
    const { key, text } = wholes.get(form.key) ?? form;
    if (key !== '' && !united.has(key)) united.set(key, text);
  }
  return [...united.values()];
}

/** What is to be appended so that both places hold all keywords; nothing is when there is none to add. */
export function planAdditions(
  stored: StoredKeywords,
  wanted: readonly string[],
  formOf = createKeywordForms(),
): Additions {
  const before = uniteKeywords(stored, formOf);
  const added = missingFrom(before, uniteKeywords({ iptc: before, xmp: wanted }, formOf), formOf);
  if (added.length === 0) return { added: [], toIptc: [], toXmp: [] };
  const all = uniteKeywords({ iptc: before, xmp: added }, formOf);
  return {
    added,
    toIptc: missingFrom(stored.iptc, all, formOf).map(cutKeyword),
    toXmp: missingFrom(stored.xmp, withoutGuesses(stored, all, formOf), formOf),
  };
}

/** Those of `all` that may be written where they are not yet. */
export function withoutGuesses(
  { guesses, xmp }: StoredKeywords,
  all: readonly string[],
  formOf = createKeywordForms(),
): readonly string[] {
  if (!guesses || guesses.size === 0) return all;
  const certain = new Set(xmp.map((text) => formOf(text).key));
  const guessed = new Set([...guesses].map((text) => formOf(text).key));
  return all.filter((text) => {
    const { key } = formOf(text);
    return certain.has(key) || !guessed.has(key);
  });
}

/** Those of `all` that a place does not hold, neither whole nor cut. */
export function missingFrom(
  present: readonly string[],
  all: readonly string[],
  formOf = createKeywordForms(),
): string[] {
  const forms = present.map(formOf);
  const held = new Set(forms.map(({ key }) => key));
  const cuts = keysOfCuts(forms);
  return all.filter((text) => {
    const { key, isLong } = formOf(text);
    return !held.has(key) && !(isLong && cutsOf(key, cuts).next().done === false);
  });
}

function keysOfCuts(forms: readonly KeywordForm[]): ReadonlySet<string> {
  return new Set(forms.filter(({ mayBeCut }) => mayBeCut).map(({ key }) => key));
}
