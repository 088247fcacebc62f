import { ServiceError } from '../errors/service-error.js';

const maxLength = 2000;

/** Trimmed, at most 2000 characters; line breaks and tabs may be in it. Throws `wrong_parameters`. */
export function checkDescription(text: string): string {
  const description = text.trim();
  const isPlain = !/\p{Cc}|\p{Cs}/u.test(description.replaceAll(/[\n\r\t]/g, ''));
  if (isPlain && [...description].length <= maxLength) return description;
  throw new ServiceError(
    'wrong_parameters',
    `description must have at most ${maxLength} characters, control characters other than line breaks and tabs not among them`,
  );
}
