import { createHash } from 'node:crypto';

/** Constants are chosen on `tune`; figures that are published come from `report`. */
export type Half = 'tune' | 'report';

/**
 * The half of the data that a name belongs to: the parity of the first byte of its SHA-256. The name is a file's, without folders,
 * or a person's where several images show the same face.
 */
export function halfOf(name: string): Half {
  const [first = 0] = createHash('sha256').update(name).digest();
  return first % 2 === 0 ? 'tune' : 'report';
}

/** Whether a name is asked for. Without a half, all are. */
export function isInHalf(name: string, half: Half | undefined): boolean {
  return half === undefined || halfOf(name) === half;
}

/** The half that a command's option `--half` names. */
export function parseHalf(value: string | undefined): Half | undefined {
  if (value === undefined || value === 'tune' || value === 'report') return value;
  throw new Error(`--half is tune or report, not ${value}.`);
}
