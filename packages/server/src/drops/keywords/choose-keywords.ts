import type { KeywordSettings, KeywordSource } from './keyword-settings.js';
import { cleanKeyword, cutKeyword, keywordKey } from './keyword-text.js';

interface Titled {
  readonly label: { readonly title: string };
  readonly score: number;
}

/** What was found in an image, of any recognition: what it did not look for is absent. Scores are 0 to 1. */
export interface Findings {
  readonly objects?: readonly Titled[];
  readonly classes?: readonly Titled[];
  readonly texts?: readonly { readonly text: string; readonly score: number }[];
  readonly faces?: readonly {
    readonly score: number;
    readonly person?: { readonly name: string; readonly similarity: number } | null;
  }[];
}

interface Candidate {
  readonly text: string;
  /** 0 to 1. */
  readonly confidence: number;
}

/**
 * The keywords of an image: by source in the order of `KeywordSource`, within a source the surest first. None is empty,
 * longer than 64 bytes in UTF-8, or there twice. A longer finding is cut (`cutKeyword`).
 */
export function chooseKeywords(findings: Findings, settings: KeywordSettings): string[] {
  const chosen = new Map<string, string>();
  for (const [source, candidates] of candidatesOf(findings)) {
    if (!settings.sources.includes(source)) continue;
    const sure = candidates.filter(({ confidence }) => confidence >= settings.minConfidence[source]);
    for (const { text } of sure.sort((one, other) => other.confidence - one.confidence)) {
      const keyword = asKeyword(text, source, settings);
      const key = keywordKey(keyword);
      if (keyword !== '' && !chosen.has(key)) chosen.set(key, keyword);
    }
  }
  return [...chosen.values()].slice(0, settings.maxKeywords);
}

function asKeyword(text: string, source: KeywordSource, { prefix, lowerCase }: KeywordSettings): string {
  const clean = cleanKeyword(text);
  if (clean === '') return '';
  const cased = lowerCase && source !== 'names' ? clean.toLowerCase() : clean;
  return cutKeyword(cleanKeyword(prefix + cased));
}

function candidatesOf({
  objects = [],
  classes = [],
  texts = [],
  faces = [],
}: Findings): readonly (readonly [KeywordSource, Candidate[]])[] {
  const titles = (found: readonly Titled[]) =>
    found.map(({ label, score }) => ({ text: label.title, confidence: score }));
  return [
    [
      'names',
      faces.flatMap(({ person }) => (person ? [{ text: person.name, confidence: person.similarity }] : [])),
    ],
    ['objects', titles(objects)],
    ['classes', titles(classes)],
    ['texts', texts.map(({ text, score }) => ({ text, confidence: score }))],
    ['faces', faces.map(({ score }) => ({ text: 'face', confidence: score }))],
  ];
}
