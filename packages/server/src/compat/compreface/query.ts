import { Refusal } from './errors.js';

/** What a client asks for in the query and in the fields of a form. */
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
  /** False: the whole image is one face, cut out already. */
  readonly detectsFaces: boolean;
  readonly page: number;
  readonly size: number;
}

const usualSize = 20;
const maxSize = 1000;

const names = [
  ...['subject', 'limit', 'det_prob_threshold', 'prediction_count', 'face_plugins', 'status'],
  ...['detect_faces', 'page', 'size'],
] as const;
/** The SDK for JavaScript puts `?` where `&` belongs; one within a name stays. */
const separators = new RegExp(`&|\\?(?=&|(?:${names.join('|')})=)`);
/** Of clients whose own parameter was not set. */
const absent = new Set(['', 'undefined', 'null', 'none', 'nan']);

/**
 * Reads the parameters of a request as its clients write them: in the query, in a form, or in both. The first value of a name counts,
 * and those of the query come first. Throws `badValue`.
 * @param form fields of the form
 */
export function readAsked(url: string, form: Readonly<Record<string, string>> = {}): Asked {
  const query = readQuery(url);
  const valuesOf = (name: string) => [query.get(name), form[name]].map((value) => value?.trim() ?? '');
  const given = (name: string): string | undefined =>
    valuesOf(name).find((value) => !absent.has(value.toLowerCase()));
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
    subject: valuesOf('subject').find((value) => value !== ''),
    limit: limit === 0 ? null : limit,
    minScore: number('det_prob_threshold', 0, 0, 1),
    predictionCount: count('prediction_count', 1, 1),
    plugins: new Set(
      (given('face_plugins') ?? '')
        .toLowerCase()
        .split(',')
        .map((plugin) => plugin.trim()),
    ),
    wantsStatus: given('status')?.toLowerCase() === 'true',
    detectsFaces: given('detect_faces')?.toLowerCase() !== 'false',
    page: count('page', 0, 0),
    size: Math.min(maxSize, count('size', usualSize, 1)),
  };
}

/** The first value of each name. */
function readQuery(url: string): ReadonlyMap<string, string> {
  const start = url.indexOf('?');
  const values = new Map<string, string>();
  for (const pair of start < 0 ? [] : url.slice(start + 1).split(separators)) {
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals));
    if (equals > 0 && !values.has(name)) values.set(name, decode(pair.slice(equals + 1)));
  }
  return values;
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
