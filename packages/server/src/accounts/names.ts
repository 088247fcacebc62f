import { ServiceError } from '../core/service-error.js';

const maxNameLength = 200;

/**
 * A name that a customer gives, of a perception, a person or a dataset, or an own id of one: trimmed, 1 to 200 characters of UTF-8 of which one can be seen, no control character.
 * Null for what is none.
 */
export function toName(text: string): string | null {
  const name = text.trim();
  // Counted as people do: a character outside the basic plane is one.
  const length = [...name].length;
  // U+FFFD stands for what was not UTF-8; a name of marks and blanks alone is one that nobody sees.
  const isText = !/[\p{Cc}\p{Cs}\ufffd]/u.test(name) && /[\p{L}\p{M}\p{N}\p{P}\p{S}]/u.test(name);
  return isText && length <= maxNameLength ? name : null;
}

/** The same. Throws `wrong_parameters`, naming the field. */
export function checkName(field: string, text: string): string {
  const name = toName(text);
  if (name === null) {
    throw new ServiceError(
      'wrong_parameters',
      `${field} must have 1 to ${maxNameLength} characters in UTF-8, one that can be seen and no control character among them`,
    );
  }
  return name;
}

/** As texts are spelt that are searched: the two databases' own ideas of small letters differ. */
export function caseFold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
