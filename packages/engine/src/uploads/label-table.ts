import { withoutComments } from './label-lines.js';
import { listGapless, listLabelMap } from './numbered-names.js';

/** Columns with the names of classes, the plainest first: Open Images and AudioSet have an identifier in `mid`. */
const nameColumns = [
  ...['display_name', 'class_name', 'label_name', 'readable_name', 'name', 'label', 'class', 'category'],
  ...['title', 'description'],
];
/** Columns that number the classes, whatever gaps they have. */
const classNumberColumns = ['index', 'class_id', 'class_index', 'label_id', 'category_id', 'idx'];
/** Columns that may number the classes. */
const idColumns = ['id', 'class', 'label'];
/** Columns that number the classes, or count examples of them. */
const countColumns = ['number', 'no'];
const numberColumns = [...classNumberColumns, ...idColumns, ...countColumns];
/** Of a single column these are headings; `title`, `no` and the like may be classes. */
const clearHeadings = nameColumns.filter((name) => name !== 'title' && name !== 'description');

/** A column of names whose first line may be a heading or a class: the number of classes of the model says which. */
export interface LoneColumn {
  readonly withFirst: readonly string[];
  readonly withoutFirst: readonly string[];
}

export function readLoneColumn(text: string): LoneColumn | undefined {
  const rows = readRows(text);
  const [first, ...body] = rows;
  if (first === undefined || body.length === 0 || rows.some((row) => row.length !== 1)) return undefined;
  if (!headingOf(first).some(isHeadingWord)) return undefined;
  const names = rows.map(([name = '']) => name);
  return names.includes('') ? undefined : { withFirst: names, withoutFirst: names.slice(1) };
}

/**
 * Names of classes in CSV or TSV: with a heading, by its columns of numbers and names; without one, a number and a name a line in
 * either order, or a name a line. Undefined where nothing says which column has the names.
 */
export function readLabelTable(text: string): string[] | undefined {
  const rows = readRows(text);
  const [first] = rows;
  if (first === undefined) return undefined;
  const heading = headingOf(first);
  const body = rows.slice(1);
  if (!isHeading(rows, heading)) return readColumns(rows, numberIn(rows), textIn(rows));
  const isNumbers = (at: number) => body.every((row) => isNumber(row[at]));
  const columnOf = (names: readonly string[], isFit: (at: number) => boolean) =>
    names.map((name) => heading.indexOf(name)).find((at) => at >= 0 && isFit(at));
  const isNumbering = (at: number) => isNumbers(at) && mayNumber(heading[at] ?? '', body, at);
  const number = columnOf(numberColumns, isNumbering) ?? (heading[0] === '' && isNumbers(0) ? 0 : undefined);
  return readColumns(
    body,
    number,
    columnOf(nameColumns, (at) => at !== number && !isNumbers(at)) ??
      columnOf(nameColumns, (at) => at !== number),
  );
}

function headingOf(first: readonly string[]): string[] {
  return first.map((cell) => cell.toLowerCase().replace(/[\s-]+/g, '_'));
}

function isHeadingWord(name: string): boolean {
  return nameColumns.includes(name) || numberColumns.includes(name);
}

function isHeading(rows: readonly (readonly string[])[], heading: readonly string[]): boolean {
  // A number beside a name is a class with its number: `0,title`.
  if (rows.length < 2 || heading.some(isNumber)) return false;
  if (rows.every((row) => row.length === 1)) return heading.some((name) => clearHeadings.includes(name));
  return heading.some(isHeadingWord);
}

/** Numbers with large gaps, or repeated ones, are counts or keys of a database. */
function mayNumber(heading: string, rows: readonly (readonly string[])[], at: number): boolean {
  if (!idColumns.includes(heading) && !countColumns.includes(heading)) return true;
  const numbers = rows.map((row) => Number(row[at]));
  const isDistinct = new Set(numbers).size === numbers.length;
  if (countColumns.includes(heading) && !isDistinct) return false;
  return hasSmallGaps(numbers);
}

/** At most as many numbers without a class as with one. COCO has 80 of 90. */
function hasSmallGaps(numbers: readonly number[]): boolean {
  const greatest = numbers.reduce((most, number) => Math.max(most, number), 0);
  return greatest <= 2 * numbers.length + 1;
}

function readColumns(
  rows: readonly (readonly string[])[],
  number: number | undefined,
  name: number | undefined,
): string[] | undefined {
  if (name === undefined) return undefined;
  const names = rows.map((row) => row[name] ?? '');
  if (names.some((each) => each === '')) return undefined;
  if (number === undefined) return names;
  const byNumber = rows.map((row, index) => [Number(row[number]), names[index] ?? ''] as const);
  const distinct = new Map(byNumber);
  if (distinct.size < byNumber.length) return undefined;
  return listGapless(byNumber) ?? listLabelMap(distinct);
}

/** Of a table without a heading: two columns, one of numbers and one of texts; or one column. */
function numberIn(rows: readonly (readonly string[])[]): number | undefined {
  const number = pairedNumberIn(rows);
  if (number === undefined) return undefined;
  return hasSmallGaps(rows.map((row) => Number(row[number]))) ? number : undefined;
}

function pairedNumberIn(rows: readonly (readonly string[])[]): number | undefined {
  if (rows.some((row) => row.length !== 2)) return undefined;
  return [0, 1].find((at) => rows.every((row) => isNumber(row[at])));
}

function textIn(rows: readonly (readonly string[])[]): number | undefined {
  if (rows.every((row) => row.length === 1)) return 0;
  const number = pairedNumberIn(rows);
  return number === undefined ? undefined : 1 - number;
}

function isNumber(cell: string | undefined): boolean {
  return cell !== undefined && /^\d{1,5}$/.test(cell);
}

/** Rows of cells, separated as the first line is. */
function readRows(text: string): string[][] {
  const lines = withoutComments(text.split(/\r?\n/)).filter((line) => line.trim() !== '');
  const [first = ''] = lines;
  const counts = [',', ';', '\t'].map((each) => ({ each, count: first.split(each).length }));
  const separator = counts.reduce((best, one) => (one.count > best.count ? one : best)).each;
  return lines.map((line) => readCells(line, separator));
}

/** Cells of a line; one in quotes may have the separator. */
function readCells(line: string, separator: string): string[] {
  const cells: string[] = [];
  let [cell, isQuoted] = ['', false];
  for (let at = 0; at < line.length; at += 1) {
    const character = line.charAt(at);
    if (character === '"' && isQuoted && line.charAt(at + 1) === '"') {
      cell += '"';
      at += 1;
    } else if (character === '"' && (isQuoted || cell.trim() === '')) isQuoted = !isQuoted;
    else if (character === separator && !isQuoted) {
      cells.push(cell.trim());
      cell = '';
    } else cell += character;
  }
  return [...cells, cell.trim()];
}
