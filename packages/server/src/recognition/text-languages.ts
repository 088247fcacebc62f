import { type TextLanguage, textLanguages } from '@lynceus/engine';
import { ServiceError } from '../core/service-error.js';

/**
 * The languages of a list such as `de, fr`: text is then read with their letters alone. Undefined for an empty list: all
 * languages. Throws `wrong_parameters` for a language that cannot be read.
 */
export function readTextLanguages(list: string): readonly TextLanguage[] | undefined {
  const wanted = list
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
  const languages = textLanguages.filter((language) => wanted.includes(language));
  if (languages.length < new Set(wanted).size) {
    throw new ServiceError(
      'wrong_parameters',
      `text_languages must be a list of ${textLanguages.join(', ')}, separated by commas`,
    );
  }
  return languages.length === 0 ? undefined : languages;
}
