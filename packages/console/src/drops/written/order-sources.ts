import type { DropKeywordSource } from '@lynceus/client';

/** All there are, in the order in which they are usually wanted. */
export const allSources: readonly DropKeywordSource[] = ['names', 'objects', 'classes', 'texts', 'faces'];

/** Those in use as they are ordered, then the others. */
export function orderedSources(used: readonly DropKeywordSource[]): readonly DropKeywordSource[] {
  return [...used, ...allSources.filter((source) => !used.includes(source))];
}

export function switchSource(
  used: readonly DropKeywordSource[],
  source: DropKeywordSource,
  isOn: boolean,
): readonly DropKeywordSource[] {
  const others = used.filter((each) => each !== source);
  return isOn ? [...others, source] : others;
}

/** One place earlier. */
export function raiseSource(
  used: readonly DropKeywordSource[],
  source: DropKeywordSource,
): readonly DropKeywordSource[] {
  const index = used.indexOf(source);
  if (index < 1) return used;
  return [...used.slice(0, index - 1), source, ...used.slice(index - 1, index), ...used.slice(index + 1)];
}
