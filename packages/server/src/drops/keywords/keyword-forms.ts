import { setImmediate } from 'node:timers/promises';
import { cleanKeyword, keywordKey, maxKeywordBytes } from './keyword-text.js';

/** What is to be known of a keyword to compare it with others. */
export interface KeywordForm {
  /** As `cleanKeyword` gives it. */
  readonly text: string;
  readonly key: string;
  /** It has no room in IPTC. */
  readonly isLong: boolean;
  /** It may be the beginning of a long one: other programs cut at the 64th byte; ours are never cut to less than half of that. */
  readonly mayBeCut: boolean;
}

export type FormOf = (text: string) => KeywordForm;

/** Makes the form of each text once: cleaning a hundred thousand characters again and again would hold the event loop. */
export function createKeywordForms(): FormOf {
  const forms = new Map<string, KeywordForm>();
  return (text) => {
    const known = forms.get(text);
    if (known) return known;
    const form = toForm(text);
    forms.set(text, form).set(form.text, form);
    return form;
  };
}

/** Makes them beforehand, and lets others work in between. */
export async function prepareForms(formOf: FormOf, texts: readonly string[]): Promise<void> {
  for (const [index, text] of texts.entries()) {
    formOf(text);
    if (index % textsAtOnce === textsAtOnce - 1) await setImmediate();
  }
}

const textsAtOnce = 50;

function toForm(text: string): KeywordForm {
  const clean = cleanKeyword(text);
  const key = keywordKey(clean);
  const keyBytes = Buffer.byteLength(key);
  return {
    text: clean,
    key,
    isLong: Buffer.byteLength(clean) > maxKeywordBytes,
    mayBeCut: keyBytes * 2 >= maxKeywordBytes - 2 && keyBytes <= maxKeywordBytes,
  };
}

/** Those of the cuts that a key begins with. In code units, 64 bytes are at most 64 and 31 at least 11. */
export function* cutsOf(key: string, cuts: ReadonlySet<string>): Generator<string> {
  for (let end = 11; end <= maxKeywordBytes && cuts.size > 0; end += 1) {
    const beginning = key.slice(0, end);
    if (cuts.has(beginning)) yield beginning;
  }
}
