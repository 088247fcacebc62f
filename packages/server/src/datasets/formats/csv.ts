import { parse } from 'csv-parse/sync';
import type { Split } from '../dataset.js';
import { indexFiles } from './find-file.js';
import {
  classNameOf,
  FormatError,
  maybeImage,
  numberOf,
  type Plan,
  type PlanFinding,
  type PlannedImage,
  type PlannedLabel,
  splitOf,
  type Tree,
} from './plan.js';

/** A line that names an image. */
export interface CsvRow {
  readonly file: string;
  readonly split: Split | null;
  /** Null: the image shows none of the classes. */
  readonly label: PlannedLabel | null;
}

/** What the columns of a file with a heading may be called. */
const headings = {
  file: ['file', 'filename', 'file_name', 'image', 'path', 'image_path', 'url'],
  split: ['split', 'set', 'subset'],
  className: ['class', 'label', 'class_name', 'name'],
  xMin: ['x_min', 'xmin', 'x1', 'left'],
  yMin: ['y_min', 'ymin', 'y1', 'top'],
  xMax: ['x_max', 'xmax', 'x2', 'right'],
  yMax: ['y_max', 'ymax', 'y2', 'bottom'],
} as const;
type Column = keyof typeof headings;

/**
 * CSV: a line a label, with a heading (ours, TensorFlow's Object Detection API's and the like, in pixels) or without one
 * (Google AutoML's: set, path, label, and for a box its corners in shares of the sides).
 */
export async function planCsv(tree: Tree): Promise<Plan> {
  const findings: PlanFinding[] = [];
  const images = tree.paths.filter(maybeImage);
  const find = indexFiles(images);
  const planned = new Map<string, { split: Split | null; labels: PlannedLabel[] }>();
  const classes = new Set<string>();
  for (const file of tree.paths.filter((path) => /\.(csv|tsv)$/i.test(path))) {
    const { rows, faults } = parseCsv(await tree.readText(file), file);
    for (const message of faults) findings.push({ problem: 'bad-label', file, message });
    const missing = new Set<string>();
    for (const { file: name, split, label } of rows) {
      const said = split ?? splitOf(file);
      const path = find(name, { path: file, split: said });
      if (path === null) {
        missing.add(name);
        continue;
      }
      const own = planned.get(path) ?? { split: null, labels: [] };
      planned.set(path, own);
      own.split ??= said;
      if (label === null) continue;
      classes.add(label.className);
      own.labels.push(label);
    }
    for (const name of missing) {
      findings.push({ problem: 'no-image', file: name, message: `${file} lists it, and it is not there` });
    }
  }
  const all = images.map((path): PlannedImage => {
    const own = planned.get(path);
    return own ? { path, ...own } : { path, split: null, labels: null };
  });
  return { format: 'csv', classes: [...classes], images: all, findings };
}

/** Throws `FormatError` for what is no CSV, or whose columns nobody can know. */
export function parseCsv(
  text: string,
  path: string,
): { readonly rows: readonly CsvRow[]; readonly faults: readonly string[] } {
  const [first = ''] = text.split('\n', 1);
  const delimiter = [',', ';', '\t'].sort((a, b) => first.split(b).length - first.split(a).length)[0] ?? ',';
  let records: string[][];
  try {
    records = parse(text, {
      bom: true,
      delimiter,
      trim: true,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      max_record_size: 65_536,
    });
  } catch (cause) {
    throw new FormatError(`${path} is not CSV`, { cause });
  }
  const [heading] = records;
  if (heading === undefined) return { rows: [], faults: [] };
  const columns = readHeading(heading);
  const faults: string[] = [];
  const rows = records.slice(columns ? 1 : 0).flatMap((record, index) => {
    const found = columns ? fromColumns(record, columns) : fromAutoMl(record);
    if (found === null && faults.length < 100) {
      faults.push(`record ${index + (columns ? 2 : 1)} does not name an image, or has half a box`);
    }
    return found ?? [];
  });
  return { rows, faults };
}

function readHeading(record: readonly string[]): Partial<Record<Column, number>> | null {
  const names = record.map((name) => name.toLowerCase().replace(/[\s-]+/g, '_'));
  const columns: Partial<Record<Column, number>> = {};
  for (const [column, spellings] of Object.entries(headings) as [Column, readonly string[]][]) {
    const at = names.findIndex((name) => spellings.includes(name));
    if (at >= 0) columns[column] = at;
  }
  return columns.file === undefined ? null : columns;
}

function fromColumns(record: readonly string[], columns: Partial<Record<Column, number>>): CsvRow | null {
  const value = (column: Column) => {
    const at = columns[column];
    return at === undefined ? '' : (record[at] ?? '');
  };
  const file = value('file');
  if (file === '') return null;
  const label = toLabel(
    value('className'),
    [value('xMin'), value('yMin'), value('xMax'), value('yMax')],
    'pixels',
  );
  return label === undefined ? null : { file, split: splitOf(value('split')), label };
}

/** `[set,]path,label[,label…]`, or `[set,]path,label,x_min,y_min,,,x_max,y_max,,` in shares. */
function fromAutoMl(record: readonly string[]): CsvRow[] | null {
  const hasSet = /^(train|validation|test|unassigned)$/i.test(record[0] ?? '');
  const [file = '', ...rest] = hasSet ? record.slice(1) : record;
  const split = hasSet ? splitOf(record[0] ?? '') : null;
  if (file === '') return null;
  const [name = '', ...corners] = rest;
  if (corners.length >= 6 && corners.slice(0, 2).every((corner) => numberOf(corner) !== undefined)) {
    const [xMin = '', yMin = '', , , xMax = '', yMax = ''] = corners;
    const label = toLabel(name, [xMin, yMin, xMax, yMax], 'share');
    return label === undefined ? null : [{ file, split, label }];
  }
  const labels = rest.flatMap((each) => toLabel(each, ['', '', '', ''], 'pixels') ?? []);
  return labels.length === 0
    ? [{ file, split, label: null }]
    : labels.map((label) => ({ file, split, label }));
}

/** Null without a class; undefined for half a box. */
function toLabel(
  name: string,
  corners: readonly [string, string, string, string],
  unit: PlannedLabel['unit'],
): PlannedLabel | null | undefined {
  const className = classNameOf(name);
  if (className === undefined) return null;
  if (corners.every((corner) => corner === '')) return { className, box: null, unit };
  const [xMin, yMin, xMax, yMax] = corners.map(numberOf);
  if (xMin === undefined || yMin === undefined || xMax === undefined || yMax === undefined) return undefined;
  return { className, box: { xMin, yMin, xMax, yMax }, unit };
}
