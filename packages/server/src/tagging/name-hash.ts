import { createHash } from 'node:crypto';

/** By which the journal has a file. Any name fits: one with line breaks, and one of 255 bytes. */
export function nameHash(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 32);
}
