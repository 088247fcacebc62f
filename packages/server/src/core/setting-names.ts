import { closest, distance } from 'fastest-levenshtein';

const prefix = 'LYNCEUS_';

/** `fetchTimeoutMs` is read from `LYNCEUS_FETCH_TIMEOUT_MS`. */
export function environmentName(setting: string): string {
  return prefix + setting.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

/** Settings that had another name before. */
const renamed: ReadonlyMap<string, string> = new Map([
  ['keepPictures', 'keepImages'],
  ['maxPictureBytes', 'maxImageBytes'],
  ['accountMaxPictures', 'accountMaxDatasetImages'],
  ['accountMaxPictureBytes', 'accountMaxDatasetImageBytes'],
]);
const renamedVariables: ReadonlyMap<string, string> = new Map(
  [...renamed].map(([from, to]) => [environmentName(from), environmentName(to)]),
);

/** What to do about a name that is no setting: its new name, or one that it nearly is; empty where neither is known. */
export function adviseName(name: string, known: readonly string[]): string {
  const now = renamed.get(name) ?? renamedVariables.get(name);
  return now === undefined ? suggestName(name, known) : `; it is called ${now} now`;
}

/** `; did you mean …?` for a name that nearly is one of those known, else nothing. */
function suggestName(name: string, known: readonly string[]): string {
  if (known.length === 0) return '';
  const nearest = closest(name, known);
  return distance(name, nearest) <= Math.max(2, name.length / 3) ? `; did you mean ${nearest}?` : '';
}
