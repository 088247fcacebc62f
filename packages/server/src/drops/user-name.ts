import { randomBytes } from 'node:crypto';
import { ServiceError } from '../core/service-error.js';

/** A label of a host name too: a drop's own host is its user name below the drops' domain. */
const pattern = /^[a-z0-9](?:[a-z0-9-]{1,30}[a-z0-9])$/;

/** Throws `wrong_parameters`. */
export function checkUserName(text: string): string {
  const name = text.trim().toLowerCase();
  if (pattern.test(name)) return name;
  throw new ServiceError(
    'wrong_parameters',
    'user_name must have 3 to 32 characters of a-z, 0-9 and - (not at its ends)',
  );
}

/** One that nobody is likely to have, which tells something of the drop's name. */
export function makeUserName(name: string): string {
  const readable = name
    .normalize('NFKD')
    // An accent is no word's end.
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 20);
  return `${readable === '' ? 'drop' : readable}-${randomBytes(3).toString('hex')}`.replace(/-{2,}/g, '-');
}
