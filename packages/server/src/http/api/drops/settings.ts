import { type Static, Type } from 'typebox';
import { foldLanguage } from '../../../core/language-list.js';
import { toCamel, toSnake } from '../../../core/snake-names.js';
import { DropSettings, type DropSettingsChange } from '../../../drops/drop-settings.js';
import { KeywordSettings } from '../../../drops/keywords/keyword-settings.js';
import { Id } from '../fields.js';
import { snakeFields } from './snake-fields.js';

const { modelReference: _, keywords: __, ...plain } = DropSettings.properties;
const { minConfidence, ...keywordFields } = KeywordSettings.properties;
const modelIdText = 'the number or UID of a model; null for general recognition';

/** What a drop does with its files, every field. */
export const Settings = Type.Object(
  {
    model_id: Type.Union([Type.String(), Type.Null()], { description: modelIdText }),
    ...snakeFields(plain),
    keywords: Type.Object(
      { ...snakeFields(keywordFields), min_confidence: minConfidence },
      { title: 'DropKeywordSettings' },
    ),
  },
  { title: 'DropSettings', description: 'What a drop does with its files' },
);

const strict = { additionalProperties: false };
const KeywordsInput = Type.Partial(
  Type.Object({
    ...snakeFields(keywordFields),
    min_confidence: Type.Partial(Type.Object(minConfidence.properties), {
      ...strict,
      description: 'a number from 0 to 1 for each of the sources',
    }),
  }),
  { ...strict, description: 'an object with the fields that shall change' },
);

/** Those that shall be otherwise than they are. */
export const SettingsInput = Type.Partial(
  Type.Object({
    model_id: Type.Union([Type.String({ minLength: 1, maxLength: 100 }), Id, Type.Null()], {
      description: modelIdText,
    }),
    ...snakeFields(plain),
    keywords: KeywordsInput,
  }),
  {
    title: 'DropSettingsInput',
    ...strict,
    description: 'an object with the settings that shall be otherwise',
  },
);
type SettingsInput = Static<typeof SettingsInput>;

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

export function fromSettings({ model_id, keywords, ...given }: SettingsInput): DropSettingsChange {
  return {
    ...toCamel(given),
    ...(model_id === undefined ? {} : { modelReference: model_id === null ? null : String(model_id) }),
    ...(keywords === undefined ? {} : { keywords: toCamel(keywords) }),
  };
}

export function toSettings({ modelReference, keywords, ...rest }: DropSettings): Static<typeof Settings> {
  return { model_id: modelReference, ...toSnake(rest), keywords: toSnake(keywords) };
}
