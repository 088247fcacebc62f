import { type Static, Type } from 'typebox';
import { toCamel, toSnake } from '../../core/snake-names.js';
import { Id } from '../../http/api/fields.js';
import { snakeFields } from '../../http/api/snake-fields.js';
import { DropSettings, type DropSettingsChange } from '../drop-settings.js';
import { KeywordSettings } from '../keywords/keyword-settings.js';

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
