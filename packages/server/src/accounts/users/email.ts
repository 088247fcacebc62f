import { ServiceError } from '../../core/service-error.js';
import { caseFold } from '../names.js';

const maxEmailLength = 254;
/** What every mail address has; whether mail arrives there nobody asks. */
const emailPattern = /^[^\s@\p{C}]{1,64}@[^\s@\p{C}]{1,189}$/u;

export interface Email {
  /** As it was given, in compatible form (NFKC). */
  readonly text: string;
  /** By which it is one of a kind: in small letters too. */
  readonly key: string;
}

/** Null for what is no mail address. */
export function toEmail(given: string): Email | null {
  const text = given.normalize('NFKC').trim();
  return text.length <= maxEmailLength && emailPattern.test(text) ? { text, key: caseFold(text) } : null;
}

/** The same. Throws `wrong_parameters`. */
export function checkEmail(given: string): Email {
  const email = toEmail(given);
  if (email) return email;
  throw new ServiceError('wrong_parameters', 'email must be a mail address such as ada@example.com');
}
