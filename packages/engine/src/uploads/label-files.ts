import { listNames } from './metadata-hints.js';
import { decodeText } from './text.js';
import type { UploadFiles } from './unpack.js';

const maxBytes = 2_000_000;
const maxNames = 20_000;
const maxNameLength = 200;

export interface LabelFile {
  readonly file: string;
  readonly names: readonly string[];
}

/** Forms of files with the names of classes, those that are most surely of this model first. */
const forms: readonly (readonly [RegExp, (text: string) => string[] | undefined])[] = [
  [/(labels?|class(es)?|names|indices|id2label|categories)[^/]*\.json$/i, readJson],
  [/(labels?|class(es)?|names|coco|dict|synset|categories)[^/]*\.txt$|\.names$/i, readLines],
  [/\.pbtxt$/i, readItems],
  [/(^|\/)metadata\.json$/i, readJson],
  [/(^|\/)config\.json$/i, readConfig],
];

/** Names of classes in a file beside a model: as texts, JSON of Keras or Hugging Face, a label map of TensorFlow. */
export function readLabelFiles(files: UploadFiles): LabelFile | undefined {
  for (const [pattern, read] of forms) {
    for (const [file, bytes] of files) {
      if (!pattern.test(file) || bytes.length > maxBytes) continue;
      const names = read(decodeText(bytes));
      if (names !== undefined && names.length > 0 && names.length <= maxNames)
        return { file, names: names.map((name) => name.slice(0, maxNameLength)) };
    }
  }
  return undefined;
}

/** A number and a name, as Teachable Machine, Coral and Darknet's tools write them. */
const numberedLine = /^(\d{1,5})(\s*[:,;=\t]\s*|\s+)(.+)$/;

/** One name a line, or all on one line with commas; numbers before the names are left out, and those that are missing keep their place. */
export function readLines(text: string): string[] | undefined {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  while (lines.at(-1) === '') lines.pop();
  const [only = '', second] = lines;
  if (second === undefined && only.includes(',')) return only.split(',').map((name) => name.trim());
  return lines.length > 0 ? (withoutNumbers(lines) ?? lines) : undefined;
}

/** Undefined where the numbers belong to the names, such as those of coins. */
function withoutNumbers(lines: readonly string[]): string[] | undefined {
  const names = new Map<number, string>();
  let last = -1;
  for (const line of lines) {
    const [, digits = '', , name = ''] = numberedLine.exec(line) ?? [];
    const number = Number(digits);
    if (digits === '' || number <= last) return undefined;
    names.set(number, name);
    last = number;
  }
  if (new Set(names.values()).size < names.size) return undefined;
  const [first = 0] = names.keys();
  // Counted from 1 without a gap.
  if (first === 1 && last === names.size) return [...names.values()];
  return first === 0 ? listNames(names) : undefined;
}

/** TensorFlow's `item { id: 1 name: 'cat' display_name: 'Cat' }`. */
function readItems(text: string): string[] | undefined {
  const names = [...text.matchAll(/item\s*\{([^{}]*)\}/g)].flatMap(([, item = '']) => {
    const number = /\bid\s*:\s*(\d{1,5})/.exec(item)?.[1];
    const name = (field: string) => new RegExp(`\\b${field}\\s*:\\s*["']([^"']*)["']`).exec(item)?.[1];
    const title = name('display_name') ?? name('name');
    return number === undefined || title === undefined ? [] : [[Number(number), title] as const];
  });
  if (names.length === 0) return undefined;
  const least = Math.min(...names.map(([number]) => number));
  return listNames(new Map(names.map(([number, name]) => [number - least, name])));
}

function readConfig(text: string): string[] | undefined {
  const config = parse(text);
  return isRecord(config) ? namesOf(config['id2label']) : undefined;
}

function readJson(text: string): string[] | undefined {
  const json = parse(text);
  if (!isRecord(json)) return namesOf(json);
  for (const field of [
    'id2label',
    'labels',
    'names',
    'classes',
    'class_names',
    'class_indices',
    'categories',
  ]) {
    const names = namesOf(json[field]);
    if (names !== undefined) return names;
  }
  return namesOf(json);
}

/** A list of names, or of objects or pairs with names; names by number, or Keras' numbers by name. */
function namesOf(json: unknown): string[] | undefined {
  if (Array.isArray(json)) {
    const names = json.map(nameOf);
    return names.length > 0 && names.every((name) => name !== undefined) ? names : undefined;
  }
  if (!isRecord(json)) return undefined;
  const entries = Object.entries(json);
  const byName = entries.every(([, number]) => Number.isInteger(number) && Number(number) >= 0);
  const byNumber = entries.every(([key, name]) => /^\d{1,5}$/.test(key) && nameOf(name) !== undefined);
  if (entries.length === 0 || byName === byNumber) return undefined;
  return listNames(
    new Map(
      byName
        ? entries.map(([name, number]) => [Number(number), name])
        : entries.map(([key, name]) => [Number(key), nameOf(name) ?? '']),
    ),
  );
}

/** Keras' list of ImageNet has pairs of an identifier and a name. */
function nameOf(json: unknown): string | undefined {
  if (typeof json === 'string') return json;
  if (Array.isArray(json)) return typeof json[1] === 'string' ? json[1] : undefined;
  return isRecord(json) && typeof json['name'] === 'string' ? json['name'] : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRecord(json: unknown): json is Readonly<Record<string, unknown>> {
  return json !== null && typeof json === 'object' && !Array.isArray(json);
}
