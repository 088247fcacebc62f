/** How a column with the names of classes is read. */
export interface ClassCells {
  /** The classes of a cell, or why they cannot be known. */
  classesOf(cell: string): readonly string[] | { readonly fault: string };
  /** What the column may mean otherwise than it is read. */
  readonly doubts: readonly string[];
}

/** That stand between several classes, the surest first; spaces are in names of classes too. */
const separators = ['|', ';', ','] as const;

/** Of a column whose every cell is the name of one class, whatever it has in it. */
export const plainCells: ClassCells = { classesOf: (cell) => [cell], doubts: [] };

/** @param isOfSeveral whether the heading says that a cell may have several classes */
export function readClassCells(column: string, all: readonly string[], isOfSeveral: boolean): ClassCells {
  const cells = new Set(all.map((cell) => cell.trim()).filter((cell) => cell !== ''));
  const plain = [...cells].filter((cell) => listOf(cell) === null);
  const separator = separators.find((each) => plain.some((cell) => cell.includes(each)));
  const split = (cell: string, by: string | RegExp) =>
    cell
      .split(by)
      .map((part) => part.trim())
      .filter((part) => part !== '');
  const fromList = (cell: string, other: (cell: string) => ReturnType<ClassCells['classesOf']>) =>
    listOf(cell.trim()) ?? other(cell);
  if (separator !== undefined) {
    const isSplit = isOfSeveral || isVocabulary(plain, (cell) => split(cell, separator), cells);
    if (isSplit) return { classesOf: (cell) => fromList(cell, () => split(cell, separator)), doubts: [] };
    const example = plain.find((cell) => cell.includes(separator));
    // A comma is in many names.
    const doubt = `${quote(example)} in its column ${column} is one class: head the column tags where that is several`;
    return { classesOf: (cell) => fromList(cell, () => [cell]), doubts: separator === ',' ? [] : [doubt] };
  }
  const spaced = plain.find((cell) => /\s/.test(cell));
  if (!isOfSeveral || spaced === undefined)
    return { classesOf: (cell) => fromList(cell, () => split(cell, /$/)), doubts: [] };
  const words = (cell: string) => split(cell, /\s+/);
  if (recombines(plain, words)) {
    const doubt = `${quote(spaced)} in its column ${column} is read as several classes with spaces between: write | between classes whose names have spaces`;
    return { classesOf: (cell) => fromList(cell, () => words(cell)), doubts: [doubt] };
  }
  const fault = `in its column ${column} may be one class or several: write | between several, or head the column class`;
  return {
    classesOf: (cell) =>
      fromList(cell, () =>
        words(cell).length > 1 ? { fault: `has ${quote(cell)}, which ${fault}` } : words(cell),
      ),
    doubts: [],
  };
}

/** Whether the parts of each cell are cells of their own too. */
function isVocabulary(
  plain: readonly string[],
  partsOf: (cell: string) => readonly string[],
  cells: ReadonlySet<string>,
): boolean {
  return plain.every((cell) => partsOf(cell).every((part) => cells.has(part)));
}

/** Whether the words of cells with several are in other cells too, as words of names such as "golden retriever" are not. */
function recombines(plain: readonly string[], wordsOf: (cell: string) => readonly string[]): boolean {
  const counts = new Map<string, number>();
  for (const cell of plain)
    for (const word of new Set(wordsOf(cell))) counts.set(word, (counts.get(word) ?? 0) + 1);
  const several = plain.filter((cell) => wordsOf(cell).length > 1);
  return (
    counts.size < plain.length &&
    several.every((cell) => wordsOf(cell).every((word) => (counts.get(word) ?? 0) > 1))
  );
}

/** Of a cell such as `['cat', 'dog']`; null for any other. */
function listOf(cell: string): readonly string[] | null {
  const inner = /^\[([^[\]{}]*)\]$/.exec(cell)?.[1];
  if (inner === undefined) return null;
  return inner
    .split(',')
    .map((part) =>
      part
        .trim()
        .replace(/^(['"])(.*)\1$/, '$2')
        .trim(),
    )
    .filter((part) => part !== '');
}

function quote(cell: string | undefined): string {
  return JSON.stringify((cell ?? '').slice(0, 80));
}
