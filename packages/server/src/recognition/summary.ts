import type { Found } from './results.js';

/** What an analysis found and by which models, in a few words. */
export interface AnalysisSummary {
  /** Titles of objects and classes and names of people, the surest first of each kind; at most eight. */
  readonly labels: readonly string[];
  readonly models: readonly string[];
}

const maxLabels = 8;
/** Of the text in a row, which stands in an index too; of four bytes each at most. */
const maxCharacters = 400;

/** As it is kept in a row: labels in lines, a tab, models in lines. Cut where it would be long. */
export function writeSummary(found: Found, models: readonly { readonly id: string }[]): string {
  const { objects = [], classes = [], faces = [] } = found;
  const people = faces.flatMap(({ person }) => (person ? [person.name] : []));
  const titles = [...objects, ...classes].map(({ label }) => label.title);
  return toText([...people, ...titles], models);
}

/** The same of a search for faces: names of those who were found. */
export function writeSearchSummary(
  names: readonly string[],
  models: readonly { readonly id: string }[],
): string {
  return toText(names, models);
}

export function readSummary(text: string | null): AnalysisSummary {
  const [labels = '', models = ''] = (text ?? '').split('\t');
  return { labels: labels.split('\n').filter(Boolean), models: models.split('\n').filter(Boolean) };
}

function toText(labels: readonly string[], models: readonly { readonly id: string }[]): string {
  const labelLines = [...new Set(labels.map(toLine))].slice(0, maxLabels);
  const ids = [...new Set(models.map(({ id }) => toLine(id)))];
  return [...`${labelLines.join('\n')}\t${ids.join('\n')}`].slice(0, maxCharacters).join('');
}

/** Half of a pair, as a model's labels may hold it, is no text that a database keeps. */
function toLine(text: string): string {
  return text
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(/[\t\n\0]/g, ' ')
    .trim();
}
