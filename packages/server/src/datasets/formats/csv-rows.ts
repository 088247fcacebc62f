import { parse } from 'csv-parse/sync';
import type { Split } from '../dataset.js';
import { boxOfCorners } from './box-corners.js';
import { classNameOf, FormatError, numberOf, type PlannedLabel, sizeOf, splitOf } from './plan.js';

/** A line that names an image. */
export interface CsvRow {
  readonly file: string;
  readonly split: Split | null;
  /** Null: the image shows none of the classes, unless the label was lost. */
  readonly label: PlannedLabel | null;
  /** Why the label of the line cannot be used. */
  readonly fault: string | null;
}

/** What the columns of a file with a heading may be called. */
const headings = {
  file: [
    ...['file', 'filename', 'file_name', 'image', 'path', 'image_path', 'url'],
    ...['file_path', 'filepath', 'image_name', 'image_file', 'image_filename', 'imageid', 'image_id'],
  ],
  split: ['split', 'set', 'subset'],
  className: ['class', 'label', 'class_name', 'name', 'label_name', 'labelname'],
  xMin: ['x_min', 'xmin', 'x1', 'left'],
  yMin: ['y_min', 'ymin', 'y1', 'top'],
  xMax: ['x_max', 'xmax', 'x2', 'right'],
  yMax: ['y_max', 'ymax', 'y2', 'bottom'],
  width: ['width', 'image_width'],
  height: ['height', 'image_height'],
} as const;
/** Columns of a box that has no two corners. */
const partOfBox = /^(b?box_)?(x|y|w|h|width|height|[xy]_?cent(er|re)|cent(er|re)_?[xy]|c[xy])$/;
type Column = keyof typeof headings;
type Columns = Partial<Record<Column, number>>;

interface Rows {
  readonly rows: readonly CsvRow[];
  /** Of lines that name no image. */
  readonly faults: readonly string[];
  /** What the file may mean otherwise than it is read. */
  readonly doubts: readonly string[];
}

/** The line that Excel reads and writes above a table: it is no part of it. */
const declaredDelimiter = /^\uFEFF?"?sep=([,;\t|])"?[ \t]*(?:\r\n?|\n|$)/i;

/**
 * Throws `FormatError` for what is no CSV, or whose columns nobody can know.
 * @param isThere whether there is an image of this name
 */
export function parseCsv(text: string, path: string, isThere: (name: string) => boolean = () => true): Rows {
  const declared = declaredDelimiter.exec(text);
  const table = declared ? text.slice(declared[0].length) : text;
  const [first = ''] = table.split('\n', 1);
  const commonest = [',', ';', '\t'].sort((a, b) => first.split(b).length - first.split(a).length)[0];
  const delimiter = declared?.[1] ?? commonest ?? ',';
  let records: string[][];
  try {
    records = parse(table, {
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
  if (heading === undefined) return { rows: [], faults: [], doubts: [] };
  const names = heading.map((name) => name.toLowerCase().replace(/[\s-]+/g, '_'));
  const columns = readHeading(names);
  if (columns.file === undefined) {
    const known = records.length === 0 || records.some((record) => isThere(fileOfAutoMl(record)));
    if (!known) {
      throw new FormatError(
        `${path} names none of the images: its first line is ${heading.join(', ')}; ${describeColumns()}`,
      );
    }
    return collect(records, 1, fromAutoMl);
  }
  const body = records.slice(1);
  const { className } = columns;
  if (className !== undefined) {
    if (body.some((record) => isJson(record[className] ?? '')))
      throw new FormatError(
        `${path} has JSON in its column ${heading[className]}, as Label Studio writes: export as COCO or YOLO from there instead`,
      );
    const read = collect(body, 2, (record) => fromColumns(record, columns, names));
    const unread = names.filter((name) => partOfBox.test(name));
    const isWithoutCorners = ['xMin', 'yMin', 'xMax', 'yMax'].every((each) => !(each in columns));
    if (!isWithoutCorners || unread.length < 4) return read;
    const doubt = `its columns ${unread.join(', ')} are not read as boxes: write their corners as x_min, y_min, x_max, y_max`;
    return { ...read, doubts: [...read.doubts, doubt] };
  }
  const ofClasses = readClassColumns(heading, columns.file, body);
  if (ofClasses) return collect(body, 2, ofClasses);
  throw new FormatError(
    `${path} has no column that says the class. Its columns are ${heading.join(', ')}; ${describeColumns()}`,
  );
}

/** Annotations rather than the name of a class. */
function isJson(cell: string): boolean {
  return /^\s*(\[\s*)?\{\s*"/.test(cell);
}

function describeColumns(): string {
  const spelled = (column: Column) => headings[column].slice(0, 4).join(' or ');
  return `known are ${spelled('file')} for the image, ${headings.className.join(' or ')} for the class, split, and x_min, y_min, x_max, y_max for a box`;
}

function collect(
  records: readonly string[][],
  firstNumber: number,
  read: (
    record: readonly string[],
  ) => readonly Omit<CsvRow, 'fault'>[] | string | { file: string; fault: string },
): Rows {
  const rows: CsvRow[] = [];
  const faults: string[] = [];
  for (const [index, record] of records.entries()) {
    const result = read(record);
    const place = `record ${index + firstNumber}`;
    if (typeof result === 'string') faults.push(`${place} ${result}`);
    else if ('fault' in result) {
      rows.push({ file: result.file, split: null, label: null, fault: `${place} ${result.fault}` });
    } else rows.push(...result.map((row) => ({ ...row, fault: null })));
  }
  const boxes = rows.flatMap(({ label }) => (label?.box ? [label] : []));
  const swapped = boxes.filter(({ isSwapped }) => isSwapped).length;
  const doubts =
    swapped > 0 && swapped < boxes.length
      ? [
          `of its ${boxes.length} boxes ${swapped} have the second corner left of the first one or above it, and the others do not: the columns may be width and height`,
        ]
      : [];
  return { rows, faults, doubts };
}

const noImage = 'does not name an image';

function readHeading(names: readonly string[]): Columns {
  const columns: Columns = {};
  for (const [column, spellings] of Object.entries(headings) as [Column, readonly string[]][]) {
    const at = names.findIndex((name) => spellings.includes(name));
    if (at >= 0) columns[column] = at;
  }
  return columns;
}

function fromColumns(record: readonly string[], columns: Columns, names: readonly string[]) {
  const value = (column: Column) => {
    const at = columns[column];
    return at === undefined ? '' : (record[at] ?? '');
  };
  const file = value('file');
  if (file === '') return noImage;
  const corners = [value('xMin'), value('yMin'), value('xMax'), value('yMax')];
  // Open Images names its images by their ids, and measures in shares.
  const unit = names.includes('imageid') ? 'share' : 'pixels';
  const label = toLabel(value('className'), corners, unit);
  if (typeof label === 'string') return { file, fault: label };
  const declared = label?.box && unit === 'pixels' ? sizeOf(value('width'), value('height')) : undefined;
  const split = splitOf(value('split'));
  return [{ file, split, label: label && { ...label, ...(declared && { declared }) } }];
}

/** A column a class with 1 where an image shows it and else 0, as Roboflow writes for several classes an image. */
function readClassColumns(heading: readonly string[], fileColumn: number, body: readonly string[][]) {
  const classColumns = heading.flatMap((name, at) =>
    at === fileColumn || name === '' ? [] : [{ name, at }],
  );
  const isFlags = body.every((record) => classColumns.every(({ at }) => /^[01]$/.test(record[at] ?? '')));
  if (classColumns.length < 2 || body.length === 0 || !isFlags) return null;
  return (record: readonly string[]) => {
    const file = record[fileColumn] ?? '';
    if (file === '') return noImage;
    const shown = classColumns.filter(({ at }) => record[at] === '1');
    const labels = shown.map(({ name }) => ({ className: name, box: null, unit: 'pixels' as const }));
    return (labels.length === 0 ? [null] : labels).map((label) => ({ file, split: null, label }));
  };
}

const setWord = /^(train|training|validation|test|unassigned)$/i;

function fileOfAutoMl([first = '', second = '']: readonly string[]): string {
  return first === '' || setWord.test(first) ? second : first;
}

/** `[set,]path,label[,label…]`, or `[set,]path,label` and four corners in shares, of which two opposite ones are enough. */
function fromAutoMl(record: readonly string[]) {
  const [set = ''] = record;
  const hasSet = set === '' || setWord.test(set);
  const [file = '', ...rest] = hasSet ? record.slice(1) : record;
  const split = splitOf(set);
  if (file === '') return noImage;
  const [name = '', ...corners] = rest;
  if (corners.length >= 6 && corners.every((corner) => corner === '' || numberOf(corner) !== undefined)) {
    if (corners.some((corner) => corner !== '')) {
      const label = toLabel(name, boxAround(corners.slice(0, 8)), 'share');
      return typeof label === 'string'
        ? { file, fault: label }
        : [{ file, split: hasSet ? split : null, label }];
    }
  }
  const labels = rest.flatMap((each) => {
    const className = classNameOf(each);
    return className === undefined ? [] : [{ className, box: null, unit: 'pixels' as const }];
  });
  return (labels.length === 0 ? [null] : labels).map((label) => ({
    file,
    split: hasSet ? split : null,
    label,
  }));
}

/** x and y by turns; those that are empty are left out. */
function boxAround(corners: readonly string[]): readonly string[] {
  const ofAxis = (axis: 0 | 1) =>
    corners.filter((corner, at) => at % 2 === axis && corner !== '').map(Number);
  const [xs, ys] = [ofAxis(0), ofAxis(1)];
  if (xs.length < 2 || ys.length < 2) return corners;
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)].map(String);
}

/** Null without a class and a box; a text says what is wrong with it. */
function toLabel(
  name: string,
  corners: readonly string[],
  unit: PlannedLabel['unit'],
): PlannedLabel | string | null {
  const className = classNameOf(name);
  const hasBox = corners.some((corner) => corner !== '');
  if (className === undefined) return hasBox ? 'has a box and no class' : null;
  if (!hasBox) return { className, box: null, unit };
  const placed = boxOfCorners(corners.map(numberOf));
  if (placed === undefined) {
    const isComma = corners.some((corner) => /^\d+,\d+$/.test(corner));
    return isComma
      ? 'has a box with decimal commas: write a point'
      : 'has half a box, or a corner that is no number';
  }
  return { className, ...placed, unit };
}
