import { Refusal } from './errors.js';

/** What a client asks for in the query. */
export interface Asked {
  readonly subject: string | undefined;
  /** Of faces; null for all. */
  readonly limit: number | null;
  /** From 0 to 1; 0 unless given. */
  readonly minScore: number;
  /** Subjects of a face. */
  readonly predictionCount: number;
  /** Lower case. */
  readonly plugins: ReadonlySet<string>;
  readonly wantsStatus: boolean;
  readonly page: number;
  readonly size: number;
}

const usualSize = 20;
const maxSize = 1000;

const names = [
  ...['subject', 'limit', 'det_prob_threshold', 'prediction_count', 'face_plugins', 'status'],
  ...['page', 'size'],
] as const;
/** The SDK for JavaScript puts `?` where `&` belongs; one within a name stays. */
const separators = new RegExp(`&|\\?(?=&|(?:${names.join('|')})=)`);
/** Of clients whose own parameter was not set. */
const absent = new Set(['', 'undefined', 'null', 'none', 'nan']);

/** Reads the query of a request as its clients write it. Throws `badValue`. */
export function readQuery(url: string): Asked {
  const start = url.indexOf('?');
  const values = new Map<string, string>();
  for (const pair of start < 0 ? [] : url.slice(start + 1).split(separators)) {
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    // Of several the first counts, as everywhere here.
    if (equals > 0 && !values.has(name)) values.set(name, decode(pair.slice(equals + 1)));
  }
  const given = (name: string): string | undefined => {
    const value = values.get(name)?.trim() ?? '';
    return absent.has(value.toLowerCase()) ? undefined : value;
  };
  const number = (name: string, usual: number, min: number, max: number): number => {
    const text = given(name);
    const value = text === undefined ? usual : Number(text);
    if (value >= min && value <= max) return value;
    throw new Refusal('badValue', `${name} must be a number from ${min} to ${max}`);
  };
  const count = (name: string, usual: number, min: number): number =>
    Math.floor(number(name, usual, min, Number.MAX_SAFE_INTEGER));
  const limit = count('limit', 0, 0);
  return {
    // A person may be called Null.
    subject: values.get('subject')?.trim() || undefined,
    limit: limit === 0 ? null : limit,
    minScore: number('det_prob_threshold', 0, 0, 1),
    predictionCount: count('prediction_count', 1, 1),
    plugins: new Set((given('face_plugins') ?? '').toLowerCase().split(/\s*,\s*/)),
    wantsStatus: given('status')?.toLowerCase() === 'true',
    page: count('page', 0, 0),
    size: Math.min(maxSize, count('size', usualSize, 1)),
  };
}

/** A percent sign that escapes nothing stays. */
function decode(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}
