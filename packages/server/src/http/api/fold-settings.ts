import { foldLanguage } from '../../core/language-list.js';

/**
 * Settings with their languages of text as the schema has them: `["DE", "de"]` is `["de"]`. What is no list of texts stays, for
 * the check by the schema to report.
 */
export function foldLanguages(settings: unknown): unknown {
  if (typeof settings !== 'object' || settings === null || !('text_languages' in settings)) return settings;
  const { text_languages: languages } = settings;
  if (!Array.isArray(languages) || !languages.every((each) => typeof each === 'string')) return settings;
  return { ...settings, text_languages: [...new Set(languages.map(foldLanguage))] };
}

/** A hook before the check of a body with `settings`. */
export async function foldSettings(request: { body: unknown }): Promise<void> {
  const { body } = request;
  if (typeof body !== 'object' || body === null || !('settings' in body)) return;
  request.body = { ...body, settings: foldLanguages(body.settings) };
}
