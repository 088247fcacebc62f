import { type Command, InvalidArgumentError, Option } from 'commander';
import { firstAccount } from '../accounts/first-key.js';
import type { Settings } from '../core/settings.js';
import { type DropSettings, defaultDropSettings, mergeSettings } from '../drops/drop-settings.js';
import { fromSettings, SettingsInput } from '../drops/routes/settings.js';
import { foldLanguages } from '../http/api/fold-settings.js';
import { defaultParts, readParts } from '../recognition/parts.js';
import { readTextLanguages } from '../recognition/text-languages.js';
import type { CommandContext } from './context.js';
import { readJson } from './read-json.js';

type Keywords = DropSettings['keywords'];

/** Options that say how images are looked at and what is written; those of a drop. */
export interface TagSettingsOptions {
  readonly settings?: string;
  readonly model?: string;
  readonly parts?: string;
  readonly detail?: DropSettings['detail'];
  readonly languages?: string;
  readonly sources?: Keywords['sources'];
  readonly minConfidence?: Partial<Keywords['minConfidence']>;
  readonly maxKeywords?: number;
  readonly prefix?: string;
  readonly lowerCase?: boolean;
  readonly rawFiles?: Keywords['rawFiles'];
  readonly perception?: string;
  readonly account: string;
}

const sourceNames = ['names', 'objects', 'classes', 'texts', 'faces'] as const;

export function addTagSettingsOptions(command: Command): Command {
  return command
    .option(
      '--settings <file>',
      'settings that differ from the defaults, JSON as of a drop; options come after it',
    )
    .option('--model <id>', 'one model by its UID or number, instead of the parts')
    .option('--parts <list>', 'what is looked for, of classes, objects, texts, faces', checked(readParts))
    .addOption(
      new Option('--detail <detail>', 'how objects are looked for').choices(['auto', 'high', 'normal']),
    )
    .option(
      '--languages <list>',
      'languages of the text, such as de,fr: only their letters are read',
      checked((list) => readTextLanguages(list, '--languages')),
    )
    .option(
      '--sources <list>',
      'what keywords are made of, of names, objects, classes, texts, faces',
      parseSources,
    )
    .option(
      '--min-confidence <list>',
      'from which confidence on, 0 to 1, such as objects=0.6,texts=0.9',
      parseConfidences,
    )
    .option('--max-keywords <number>', 'how many are written into an image, 0 to 200', parseMaxKeywords)
    .option('--prefix <text>', 'stands before each keyword; at most 20 characters', parsePrefix)
    .option('--lower-case', 'write all but names in lower case')
    .addOption(
      new Option('--raw-files <where>', 'where keywords of raw files go').choices(['sidecar', 'embedded']),
    )
    .option('--perception <perception>', 'write names of its people: number, UID or name of a perception')
    .option('--account <name>', 'whose perception or model it is', firstAccount);
}

/** What the options say, over the file of `--settings`, over the defaults of drops. */
export async function readTagSettings(
  options: TagSettingsOptions,
  settings: Pick<Settings, 'recognitionParts'>,
  context: CommandContext,
): Promise<DropSettings> {
  const {
    model,
    parts,
    detail,
    languages,
    sources,
    minConfidence,
    maxKeywords,
    prefix,
    lowerCase,
    rawFiles,
  } = options;
  const file = await readJson(context, 'settings', options.settings, SettingsInput, foldLanguages);
  const usual = { ...defaultDropSettings, parts: [...defaultParts(settings)] };
  const keywords = { sources, minConfidence, maxKeywords, prefix, lowerCase, rawFiles };
  return mergeSettings(
    mergeSettings(usual, file === undefined ? {} : fromSettings(file)),
    withoutAbsent({
      modelReference: model,
      parts: parts === undefined ? undefined : [...readParts(parts)],
      detail,
      textLanguages:
        languages === undefined ? undefined : [...(readTextLanguages(languages, '--languages') ?? [])],
      keywords: withoutAbsent(keywords),
    }),
  );
}

/** As `KeywordSettings` has it. */
const maxPrefix = 20;

function parsePrefix(text: string): string {
  if (text.length <= maxPrefix) return text;
  throw new InvalidArgumentError(`It must have at most ${maxPrefix} characters.`);
}

/** A list that `read` accepts; what it throws is shown as a wrong argument. */
function checked(read: (list: string) => unknown): (list: string) => string {
  return (list) => {
    try {
      read(list);
      return list;
    } catch (error) {
      throw new InvalidArgumentError(error instanceof Error ? `${error.message}.` : String(error));
    }
  };
}

type Present<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

function withoutAbsent<Fields extends object>(fields: Fields): Present<Fields> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Present<Fields>;
}

function parseSources(list: string): Keywords['sources'] {
  const wanted = list.split(',').map((name) => name.trim());
  const known = sourceNames.filter((name) => wanted.includes(name));
  if (known.length !== new Set(wanted).size) {
    throw new InvalidArgumentError(`Give a list of ${sourceNames.join(', ')}.`);
  }
  return known;
}

function parseConfidences(list: string): Partial<Keywords['minConfidence']> {
  const entries = list.split(',').map((entry) => {
    const [name = '', text = '', ...rest] = entry.split('=').map((part) => part.trim());
    const source = sourceNames.find((each) => each === name);
    const value = /^[0-9.]+$/.test(text) ? Number(text) : Number.NaN;
    if (!source || rest.length > 0 || !(value >= 0 && value <= 1)) {
      throw new InvalidArgumentError(
        `Give a number from 0 to 1 for each of some of ${sourceNames.join(', ')}, such as objects=0.6.`,
      );
    }
    return [source, value] as const;
  });
  return Object.fromEntries(entries);
}

function parseMaxKeywords(text: string): number {
  const value = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value <= 200)) throw new InvalidArgumentError('Give a whole number from 0 to 200.');
  return value;
}
