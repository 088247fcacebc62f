import { listGapless, listNames } from './numbered-names.js';

interface LabelLines {
  readonly names: readonly string[];
  /** Why numbers in all lines were left in the names. */
  readonly note?: string;
}

/** The number of a class in a line, and the name in the rest of it. */
type NumberedName = readonly [number, string];

/**
 * One name a line, or all on one line with commas. Numbers before or after the names order the classes and are left out; increasing
 * numbers from 0 may have gaps, which get a placeholder. Undefined for an empty file.
 */
export function readLabelLines(text: string): LabelLines | undefined {
  const lines = withoutComments(text.split(/\r?\n/).map((line) => line.trim()));
  while (lines.at(-1) === '') lines.pop();
  const [only = '', second] = lines;
  if (lines.length === 0) return undefined;
  if (second === undefined && only.includes(',') && !numberedLine.test(only))
    return { names: only.split(',').map((name) => name.trim()) };
  const filled = lines.filter((line) => line !== '');
  const numbered = numbersOf(filled, numberBefore) ?? numbersOf(filled, numberAfter);
  const ordered = numbered && (orderByNumber(numbered.entries) ?? gapsOf(numbered));
  if (ordered) return { names: ordered };
  const names = withoutSynsets(filled) ?? lines;
  return numbered && mayCount(numbered.entries) ? { names, note } : { names };
}

const note =
  'The numbers in its lines do not count from 0 or 1 without gaps, so they are left in the names and the lines keep their order.';

/** Without the comments before the first class: `# classes`. */
export function withoutComments(lines: readonly string[]): string[] {
  const first = lines.findIndex((line) => line !== '' && !line.startsWith('#'));
  return first > 0 && lines.slice(0, first).some((line) => line !== '') ? lines.slice(first) : [...lines];
}

/** A number and a name, as Teachable Machine, Coral and Darknet's tools write them. */
const numberedLine = /^(\d{1,5})(?:\s*[:,;=\t]\s*|\s+)(.+)$/s;

function numberBefore(line: string): NumberedName | undefined {
  const [, digits, name] = numberedLine.exec(line) ?? [];
  return digits === undefined || name === undefined ? undefined : [Number(digits), name];
}

/** A name and its number: `cat 0`, `cat,0`, `cat = 0`. One expression for it would search a line of spaces in squared time. */
function numberAfter(line: string): NumberedName | undefined {
  const [digits = ''] = /\d{1,5}$/.exec(line.slice(-6)) ?? [];
  const before = line.slice(0, line.length - digits.length);
  const name = before
    .trimEnd()
    .replace(/[:,;=]$/, '')
    .trimEnd();
  return digits === '' || name === '' || name === before ? undefined : [Number(digits), name];
}

interface Numbered {
  readonly entries: readonly NumberedName[];
  readonly isBefore: boolean;
}

function numbersOf(lines: readonly string[], read: typeof numberBefore): Numbered | undefined {
  const entries: NumberedName[] = [];
  for (const line of lines) {
    const entry = read(line);
    if (entry === undefined) return undefined;
    entries.push(entry);
  }
  return { entries, isBefore: read === numberBefore };
}

/** Undefined where the numbers belong to the names, such as those of coins. */
function orderByNumber(entries: readonly NumberedName[]): string[] | undefined {
  return haveOneName(entries) ? undefined : listGapless(entries);
}

/** Increasing numbers from 0 whose gaps keep their place. Numbers behind the names may be a part of them: `Boeing 737`. */
function gapsOf({ entries, isBefore }: Numbered): string[] | undefined {
  const isIncreasing = entries.every(([number], at) => number > (entries[at - 1]?.[0] ?? -1));
  if (!isBefore || !isIncreasing || entries[0]?.[0] !== 0 || haveOneName(entries)) return undefined;
  return listNames(new Map(entries));
}

/** Whether a name is there twice, so that its numbers distinguish the classes. */
function haveOneName(entries: readonly NumberedName[]): boolean {
  return new Set(entries.map(([, name]) => name)).size < entries.length;
}

/** Whether numbers may be meant to number the classes: each one is another, and so is each name. */
function mayCount(entries: readonly NumberedName[]): boolean {
  return !haveOneName(entries) && new Set(entries.map(([number]) => number)).size === entries.length;
}

/** ImageNet's lists have an identifier of WordNet before each name: `n01440764 tench, Tinca tinca`. */
function withoutSynsets(lines: readonly string[]): string[] | undefined {
  const names = lines.flatMap((line) => /^n\d{8}[\s,:;]+(\S.*)$/.exec(line)?.[1] ?? []);
  return names.length === lines.length ? names : undefined;
}
