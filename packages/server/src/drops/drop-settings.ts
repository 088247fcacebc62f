import { textLanguages } from '@lynceus/engine';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { recognitionParts } from '../recognition/parts.js';
import { checkAuthorizedKeys, maxKeyLineLength, maxKeys } from './authorized-keys.js';
import { defaultKeywordSettings, KeywordSettings } from './keywords/keyword-settings.js';

/** What a drop does with the files that it gets. */
export const DropSettings = Type.Object(
  {
    modelReference: Type.Union([Type.String({ minLength: 1, maxLength: 100 }), Type.Null()], {
      description: 'the number or UID of a model; null for general recognition',
    }),
    parts: Type.Array(
      Type.Enum([...recognitionParts], {
        title: 'RecognitionPart',
        description: 'what general recognition may look for',
      }),
      {
        minItems: 1,
        maxItems: recognitionParts.length,
        uniqueItems: true,
        description: `what general recognition looks for: a list of ${recognitionParts.join(', ')}`,
      },
    ),
    detail: Type.Enum(['auto', 'high', 'normal'], {
      title: 'DetectionDetail',
      description:
        'how objects are looked for: "high" in slices of large images as well, which finds small ones and takes longer, "auto" so from 4 megapixels on, "normal" in the whole image alone',
    }),
    textLanguages: Type.Array(
      Type.Enum([...textLanguages], {
        title: 'TextLanguage',
        description: 'a language that text can be read in, by ISO 639-1',
      }),
      {
        maxItems: textLanguages.length,
        uniqueItems: true,
        description: `a list of ${textLanguages.join(', ')}, the languages of the text in images: only their letters are read; none for those of the service`,
      },
    ),
    keywords: KeywordSettings,
    authorizedKeys: Type.Array(
      Type.String({
        minLength: 1,
        maxLength: maxKeyLineLength,
        description: 'a public key, one line as in a .pub file of OpenSSH',
      }),
      {
        maxItems: maxKeys,
        description: `a list of public keys, ${maxKeys} at most, that open the drop by SFTP beside its own key`,
      },
    ),
    otherFiles: Type.Union([Type.Literal('fail'), Type.Literal('deliver')], {
      description:
        '"deliver" to send on unchanged what can get no keywords, as what is no image or an image that cannot be read, "fail" to put it into failed/',
    }),
    keepDoneDays: Type.Integer({
      minimum: 0,
      maximum: 365,
      description:
        'a number of days from 0 to 365 for which delivered files are kept in done/; 0: not at all; files that were delivered nowhere stay',
    }),
    keepFailedDays: Type.Integer({
      minimum: 1,
      maximum: 3650,
      description: 'a number of days from 1 to 3650 for which files are kept in failed/',
    }),
  },
  { additionalProperties: false },
);
/** Interpreting it takes a millisecond of a row with many entries, and a page has a hundred. */
const compiled = Compile(DropSettings);
export type DropSettings = Static<typeof DropSettings>;

/** Absent: as it is. */
export interface DropSettingsChange extends Partial<Omit<DropSettings, 'keywords'>> {
  readonly keywords?: Partial<Omit<KeywordSettings, 'minConfidence'>> & {
    readonly minConfidence?: Partial<KeywordSettings['minConfidence']>;
  };
}

export const defaultDropSettings: DropSettings = {
  modelReference: null,
  parts: ['classes', 'objects', 'texts', 'faces'],
  detail: 'auto',
  textLanguages: [],
  keywords: defaultKeywordSettings,
  authorizedKeys: [],
  otherFiles: 'fail',
  keepDoneDays: 7,
  keepFailedDays: 90,
};

/** Field by field, those of keywords too. */
export function mergeSettings(old: DropSettings, change: DropSettingsChange): DropSettings {
  const minConfidence = { ...old.keywords.minConfidence, ...change.keywords?.minConfidence };
  return { ...old, ...change, keywords: { ...old.keywords, ...change.keywords, minConfidence } };
}

/** The settings after a change. Throws `wrong_parameters`. */
export function changeSettings(old: DropSettings, change: DropSettingsChange): DropSettings {
  const { authorizedKeys = old.authorizedKeys } = change;
  return { ...mergeSettings(old, change), authorizedKeys: checkAuthorizedKeys(authorizedKeys) };
}

/** Settings as a row has them; what is newer than the row is as usual. */
export function readSettings(text: string): DropSettings {
  return compiled.Parse(mergeSettings(defaultDropSettings, JSON.parse(text)));
}
