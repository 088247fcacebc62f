import type { TextLanguage } from '@lynceus/engine';
import { languagesExpected, parseLanguages } from '../core/language-list.js';
import { ServiceError } from '../core/service-error.js';

/**
 * The languages of a list such as `de, fr`: text is then read with their letters alone. Undefined for an empty list: all
 * languages. Throws `wrong_parameters` for a language that cannot be read.
 * @param name By which its writer knows the list.
 */
export function readTextLanguages(
  list: string,
  name = 'text_languages',
): readonly TextLanguage[] | undefined {
  const languages = parseLanguages(list);
  if (languages === null) throw new ServiceError('wrong_parameters', `${name} ${languagesExpected}`);
  return languages.length === 0 ? undefined : languages;
}
