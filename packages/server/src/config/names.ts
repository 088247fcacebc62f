import { closest, distance } from 'fastest-levenshtein';

const prefix = 'LYNCEUS_';

/** `fetchTimeoutMs` is read from `LYNCEUS_FETCH_TIMEOUT_MS`. */
export function environmentName(setting: string): string {
  return prefix + setting.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

/** `; did you mean …?` for a name that nearly is one of those known, else nothing. */
export function suggestName(name: string, known: readonly string[]): string {
  if (known.length === 0) return '';
  const nearest = closest(name, known);
  return distance(name, nearest) <= Math.max(2, name.length / 3) ? `; did you mean ${nearest}?` : '';
}
