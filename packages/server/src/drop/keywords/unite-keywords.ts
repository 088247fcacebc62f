import { cleanKeyword, cutKeyword, keywordKey, maxKeywordBytes } from './keyword-text.js';

/** The keywords of a picture in the two places that hold them; a format without IPTC has none there. */
export interface StoredKeywords {
  readonly iptc: readonly string[];
  readonly xmp: readonly string[];
}

export interface Additions {
  /** Of those that were to be added, what was in neither place. */
  readonly added: readonly string[];
  /** To be appended, so that each place holds what the other does, and the added. */
  readonly toIptc: readonly string[];
  readonly toXmp: readonly string[];
}

/** All keywords once: those of IPTC first, in their order. Where one is the beginning of a long one, the long one counts. */
export function uniteKeywords({ iptc, xmp }: StoredKeywords): string[] {
  const all = [...iptc, ...xmp].map(cleanKeyword);
  const longOnes = all.filter(isLong).map((text) => ({ text, key: keywordKey(text) }));
  const united = new Map<string, string>();
  for (const text of all) {
    const key = keywordKey(text);
    const whole = mayBeCut(key) ? longOnes.find((long) => long.key.startsWith(key)) : undefined;
    const wholeKey = whole?.key ?? key;
    if (wholeKey !== '' && !united.has(wholeKey)) united.set(wholeKey, whole?.text ?? text);
  }
  return [...united.values()];
}

/** What is to be appended so that both places hold all keywords; nothing is when there is none to add. */
export function planAdditions(stored: StoredKeywords, wanted: readonly string[]): Additions {
  const before = uniteKeywords(stored);
  const added = missingFrom(before, uniteKeywords({ iptc: before, xmp: wanted }));
  if (added.length === 0) return { added: [], toIptc: [], toXmp: [] };
  const all = uniteKeywords({ iptc: before, xmp: added });
  return {
    added,
    toIptc: missingFrom(stored.iptc, all).map(cutKeyword),
    toXmp: missingFrom(stored.xmp, all),
  };
}

/** Those of `all` that a place does not hold, neither whole nor cut. */
export function missingFrom(place: readonly string[], all: readonly string[]): string[] {
  const held = new Set(place.map(keywordKey));
  const cuts = [...held].filter(mayBeCut);
  return all.filter((text) => {
    const key = keywordKey(text);
    return !held.has(key) && !(isLong(text) && cuts.some((cut) => key.startsWith(cut)));
  });
}

function isLong(clean: string): boolean {
  return Buffer.byteLength(clean) > maxKeywordBytes;
}

/** Other programs cut at the 64th byte, in the midst of a word; ours are never cut to less than half of that. */
function mayBeCut(key: string): boolean {
  const bytes = Buffer.byteLength(key);
  return bytes * 2 >= maxKeywordBytes - 2 && bytes <= maxKeywordBytes;
}
