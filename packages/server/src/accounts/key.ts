import { createHash, randomBytes } from 'node:crypto';

const prefix = 'lyn_';
const shownLength = 12;
/** Longer than any key of ours; what is longer is not worth a look. */
export const maxKeyLength = 256;

/** A new key: 256 bits of chance. It is shown once and stored nowhere. */
export function makeKey(): string {
  return prefix + randomBytes(32).toString('base64url');
}

/** Without those that look like another: 32. */
const typedCharacters = '23456789abcdefghijkmnpqrstuvwxyz';
const typedLength = 20;

/**
 * A new key of a drop: 100 bits of chance, in characters that the menu of a camera has. It is typed there, and many cameras take no
 * password of more than 32 characters.
 */
export function makeTypedKey(): string {
  const characters = Array.from(
    randomBytes(typedLength),
    (byte) => typedCharacters[byte % typedCharacters.length],
  );
  return prefix + characters.join('');
}

/** What is stored of a key. Plain SHA-256 is right here: a guess at 100 random bits or more never succeeds. */
export function hashKey(key: string): string {
  return createHash('sha256').update(key, 'utf8').digest('hex');
}

/** The part of a key that is kept for display and for revoking by; never more than a third of it. */
export function keyPrefix(key: string): string {
  return key.slice(0, Math.min(shownLength, Math.floor(key.length / 3)));
}
