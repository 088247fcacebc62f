import { readYaml } from '../read-yaml.js';
import { readLabelLines } from './label-lines.js';
import { readLabelMap } from './label-map.js';
import { type LoneColumn, readLabelTable, readLoneColumn } from './label-table.js';
import { maxHintFileBytes, maxLabelLength, maxLabels } from './limits.js';
import { listGapless, listLabelMap } from './numbered-names.js';
import { decodeText } from './text.js';
import type { UploadFiles } from './unpack.js';

interface LabelFile {
  readonly file: string;
  readonly names: readonly string[];
  /** Where the first line may be a heading. */
  readonly column?: LoneColumn;
  /** What was assumed about its lines. */
  readonly note?: string;
}

/** Forms of files with the names of classes, those that are most surely of this model first. */
const forms: readonly (readonly [RegExp, (text: string) => readonly string[] | undefined])[] = [
  [/(labels?|class(es)?|names|indices|id2label|categories)[^/]*\.json$/i, readTable],
  [/(labels?|class(es)?|names|coco|dict|synset|categories)[^/]*\.txt$|\.names$/i, readLines],
  [/(labels?|class(es)?|names|indices|dict|synset|categories|mapping)[^/]*\.(csv|tsv)$/i, readLabelTable],
  [/\.pbtxt$/i, readLabelMap],
  [/(labels?|class(es)?|names|indices|id2label|categories)[^/]*\.ya?ml$/i, readYamlNames],
  [/(^|\/)(metadata|[^/]*(label|class)[^/]*)\.json$/i, readFields],
  [/(^|\/)config\.json$/i, readConfig],
];
/** Files about classes, of which the lines or keys are no names of classes. */
const others =
  /(?<![a-z])(configs?|counts?|logs?|metrics?|params?|report|settings?|stats?|thresholds?|weights?)(?![a-z])[^/]*$/i;

/** Whether a file may have names of classes, by its own name. */
export function isLabelFile(file: string): boolean {
  return forms.some(([pattern]) => pattern.test(file)) && !others.test(file);
}

/** Names of classes in a file beside a model: as texts, JSON of Keras or Hugging Face, a label map of TensorFlow. */
export function readLabelFiles(files: UploadFiles): LabelFile | undefined {
  for (const [pattern, read] of forms) {
    for (const [file, bytes] of files) {
      if (!pattern.test(file) || bytes.length > maxHintFileBytes) continue;
      if (read !== readLabelMap && read !== readFields && read !== readConfig && others.test(file)) continue;
      const text = decodeText(bytes);
      const names = read(text);
      if (names === undefined || names.length === 0 || names.length > maxLabels) continue;
      const column = read === readLabelTable ? readLoneColumn(text) : undefined;
      const note = read === readLines ? readLabelLines(text)?.note : undefined;
      return {
        file,
        names: shorten(names),
        ...(note !== undefined && { note: `${file}: ${note}` }),
        ...(column && {
          column: { withFirst: shorten(column.withFirst), withoutFirst: shorten(column.withoutFirst) },
        }),
      };
    }
  }
  return undefined;
}

function shorten(names: readonly string[]): string[] {
  return names.map((name) => name.slice(0, maxLabelLength));
}

function readLines(text: string): readonly string[] | undefined {
  return readLabelLines(text)?.names;
}

/** The same tables as in JSON. YAML has the names of digits as numbers. */
function readYamlNames(text: string): string[] | undefined {
  try {
    const content: unknown = readYaml(text);
    const table = isRecord(content) ? fields.map((field) => content[field]).find(Boolean) : undefined;
    return namesOf(withTexts(table ?? content));
  } catch {
    return undefined;
  }
}

function withTexts(content: unknown): unknown {
  return Array.isArray(content)
    ? content.map((item: unknown) => (typeof item === 'number' ? String(item) : item))
    : content;
}

function readConfig(text: string): string[] | undefined {
  const config = parse(text);
  return isRecord(config) ? namesOf(config['id2label']) : undefined;
}

const fields = ['id2label', 'labels', 'names', 'classes', 'class_names', 'class_indices', 'categories'];

/** Names in a field of a file that has other fields too. */
function readFields(text: string): string[] | undefined {
  const json = parse(text);
  if (!isRecord(json)) return undefined;
  for (const field of fields) {
    const names = namesOf(json[field]);
    if (names !== undefined) return names;
  }
  return undefined;
}

/** A file that holds nothing but names, or has them in a field. */
function readTable(text: string): string[] | undefined {
  return readFields(text) ?? namesOf(parse(text));
}

/** A list of names, or of objects or pairs with names; names by number, or Keras' numbers by name. */
function namesOf(json: unknown): string[] | undefined {
  if (Array.isArray(json)) return namesOfList(json);
  if (!isRecord(json)) return undefined;
  const entries = Object.entries(json);
  const byNumber = entries.flatMap(([key, value]) => {
    const name = nameOf(value);
    return /^\d{1,5}$/.test(key) && name !== undefined ? [[Number(key), name] as const] : [];
  });
  if (byNumber.length === entries.length) return listLabelMap(new Map(byNumber));
  const byName = entries.flatMap(([name, value]) => {
    const number = typeof value === 'string' && /^\d{1,5}$/.test(value) ? Number(value) : value;
    return isInteger(number) ? [[number, name] as const] : [];
  });
  return byName.length === entries.length ? listGapless(byName) : undefined;
}

/** By their ids where these count the classes; else in the order of the list. */
function namesOfList(list: readonly unknown[]): string[] | undefined {
  const names = list.flatMap((item) => nameOf(item) ?? []);
  if (names.length === 0 || names.length < list.length) return undefined;
  const byId = list.flatMap((item, index) =>
    isRecord(item) && isInteger(item['id']) ? [[item['id'], names[index] ?? ''] as const] : [],
  );
  return (byId.length === list.length ? listGapless(byId) : undefined) ?? names;
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

function isInteger(json: unknown): json is number {
  return Number.isSafeInteger(json);
}

function isRecord(json: unknown): json is Readonly<Record<string, unknown>> {
  return json !== null && typeof json === 'object' && !Array.isArray(json);
}
