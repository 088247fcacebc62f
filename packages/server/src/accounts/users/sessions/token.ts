import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** The secret of a session: 32 random bytes, stored nowhere. */
export function makeToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Whether a text can be a token at all. */
export function isToken(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text);
}

/** What is stored of it. Plain SHA-256 is right here: no guess at 256 random bits is ever tried twice. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token, 'utf8').digest('hex');
}

/**
 * What a page sends beside the cookie, to show that it is ours: made of the session's token, so that it is kept nowhere
 * and ends with the session, and tells nothing of it.
 */
export function csrfTokenOf(sessionToken: string): string {
  return createHmac('sha256', sessionToken).update('lynceus csrf').digest('base64url');
}

/** In a time that tells nothing of where they differ. */
export function isCsrfToken(given: string, sessionToken: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text, 'utf8').digest();
  return timingSafeEqual(digest(given), digest(csrfTokenOf(sessionToken)));
}
