import { maxLabels } from './limits.js';

/** Names of classes by their numbers, as a file has them. */
type NumberedNames = ReadonlyMap<number, string>;

/**
 * Names in the order of their numbers; numbers without a name get a placeholder, so that no other name moves. Undefined where there are
 * none or too many.
 * @param first The number of the first name.
 */
export function listNames(names: NumberedNames, first = 0): string[] | undefined {
  const count = rangeOf(names).greatest + 1 - first;
  if (names.size === 0 || count > maxLabels) return undefined;
  return Array.from({ length: count }, (_, index) => names.get(index + first) ?? `class ${index + first}`);
}

/** Names of a label map, which counts from 1 unless it has a number 0. */
export function listLabelMap(names: NumberedNames): string[] | undefined {
  return listNames(names, Math.min(rangeOf(names).least, 1));
}

/** Names whose numbers are 0 to n-1, or 1 to n. Other numbers do not count classes. */
export function listGapless(entries: readonly (readonly [number, string])[]): string[] | undefined {
  const names = new Map(entries);
  const { least, greatest } = rangeOf(names);
  const isGapless = names.size === entries.length && greatest - least + 1 === names.size;
  return isGapless && (least === 0 || least === 1) ? listNames(names, least) : undefined;
}

/** A file may have more numbers than Math.min and Math.max take arguments. */
function rangeOf(names: NumberedNames): { least: number; greatest: number } {
  let [least, greatest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const number of names.keys()) {
    least = Math.min(least, number);
    greatest = Math.max(greatest, number);
  }
  return { least, greatest };
}
