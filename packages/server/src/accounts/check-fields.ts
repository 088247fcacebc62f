import { redactText } from '../core/redact.js';
import { ServiceError } from '../core/service-error.js';

/** The name without spaces around it. Throws `wrong_parameters`. */
export function checkName(what: string, text: string): string {
  const name = text.trim();
  if (name.length === 0 || name.length > 100 || /\p{C}/u.test(name)) {
    throw new ServiceError('wrong_parameters', `The ${what} must have 1 to 100 printable characters.`);
  }
  // It is shown in lists, and kept as it is.
  if (redactText(name) !== name) {
    throw new ServiceError('wrong_parameters', `The ${what} holds an API key; give one that may be seen.`);
  }
  return name;
}

/** Throws `wrong_parameters` for an end that is over; null is no end. */
export function checkExpiry(expiresAt: number | null, now: number): void {
  if (expiresAt !== null && expiresAt <= now) {
    throw new ServiceError('wrong_parameters', 'expires_at must lie in the future; to end a key, revoke it');
  }
}
