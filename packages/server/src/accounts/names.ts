import { ServiceError } from '../core/service-error.js';

export const maxNameLength = 200;

/**
 * A name that a customer gives, of a perception, a person or a dataset, or an own id of one: trimmed, 1 to 200 characters, no control character.
 * Null for what is none.
 */
export function toName(text: string): string | null {
  const name = text.trim();
  // Counted as people do: a character outside the basic plane is one.
  const length = [...name].length;
  return length > 0 && length <= maxNameLength && !/\p{Cc}|\p{Cs}/u.test(name) ? name : null;
}

/**
 * The same of a name that is new: what was not UTF-8, for which U+FFFD stands, is none, nor is one that nobody can see. Those that exist
 * are found and imported as they are.
 */
export function toNewName(text: string): string | null {
  const name = toName(text);
  const isText = name !== null && !name.includes('\ufffd') && /[\p{L}\p{M}\p{N}\p{P}\p{S}]/u.test(name);
  return isText ? name : null;
}

/** The same as `toName`. Throws `wrong_parameters`, naming the field. */
export function checkName(field: string, text: string): string {
  return required(field, toName(text), 'control characters not among them');
}

/** The same as `toNewName`. Throws `wrong_parameters`, naming the field. */
export function checkNewName(field: string, text: string): string {
  return required(
    field,
    toNewName(text),
    'in UTF-8, one that can be seen and no control character among them',
  );
}

function required(field: string, name: string | null, which: string): string {
  if (name !== null) return name;
  throw new ServiceError('wrong_parameters', `${field} must have 1 to ${maxNameLength} characters, ${which}`);
}

/** As texts are spelt that are searched: the two databases' own ideas of small letters differ. */
export function caseFold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
