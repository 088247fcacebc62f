import { createHash, randomBytes } from 'node:crypto';

const prefix = 'lyn_';
const shownLength = 12;
/** Longer than any key of ours; what is longer is not worth a look. */
export const maxKeyLength = 256;

/** A new key: 256 bits of chance. It is shown once and stored nowhere. */
export function makeKey(): string {
  return prefix + randomBytes(32).toString('base64url');
}

/** What is stored of a key. Plain SHA-256 is right here: no guess at 256 random bits is ever tried twice. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key, 'utf8').digest('hex');
}

/** The part of a key that is kept for display and for revoking by; never more than a third of it. */
export function keyPrefix(key: string): string {
  return key.slice(0, Math.min(shownLength, Math.floor(key.length / 3)));
}
