import { Argument, type Command, InvalidArgumentError } from 'commander';
import {
  type CompatProtocol,
  type CompatSettings,
  compatProtocols,
  usualCompatSettings,
} from '../accounts/compat-settings.js';
import { byOperator } from '../accounts/creator.js';
import { firstAccount } from '../accounts/first-key.js';
import type { CommandContext } from './context.js';
import { type Calls, callLimitOf, parseCalls, parseExpiry } from './options.js';
import { findAccount, withServices } from './with-domain.js';

interface CompatOptions {
  readonly account: string;
  readonly name?: string;
  readonly expires?: number;
  readonly calls?: Calls;
  readonly perception?: string;
  readonly model?: string;
  readonly map?: Readonly<Record<string, string>>;
  readonly alias?: Readonly<Record<string, string>>;
  readonly minConfidence?: number;
  readonly maxPredictions?: number;
  readonly json?: boolean;
}

/** `keys compat`: a key for a client of another service. */
export function addCompatKeyCommand(keys: Command, context: CommandContext): void {
  keys
    .command('compat')
    .description('create a key for clients of DeepStack, CodeProject.AI, CompreFace or DOODS')
    .addArgument(
      new Argument('<protocol>', 'what they speak; deepstack for CodeProject.AI').choices(compatProtocols),
    )
    .option('--account <name>', 'account of the key', firstAccount)
    .option('--name <name>', 'what the key is for; the protocol unless given')
    .option('--expires <date>', 'last day or time of validity, as of keys create', parseExpiry)
    .option('--calls <number>', 'total number of calls of the key, or unlimited', parseCalls)
    .option(
      '--perception <id>',
      'perception whose people are named; the page Faces and GET /api/perceptions show its number',
    )
    .option('--model <id>', 'detector; the default one unless given')
    .option('--map <name=id>', 'detector for a name that clients ask for; repeatable', parsePair)
    .option('--alias <class=name>', 'what a class is called for the client; repeatable', parsePair)
    .option('--min-confidence <number>', 'from 0 to 1; clients may ask for more, not for less', parseShare)
    .option('--max-predictions <number>', 'objects in an answer at most', parseCount)
    .option('--json', 'answer {"key": "…"}')
    .action(async (protocol: CompatProtocol, options: CompatOptions) => {
      const made = await withServices(
        context,
        async (services, { database }) => {
          const compatKeys = await services.compatKeys();
          return compatKeys.create(await findAccount(database, options.account), {
            name: options.name ?? protocol,
            expiresAt: options.expires ?? null,
            callLimit: callLimitOf(options.calls),
            creator: byOperator,
            settings: settingsOf(protocol, options),
          });
        },
        { usesFiles: true },
      );
      if (options.json) {
        context.print(JSON.stringify({ key: made.key }));
        return;
      }
      context.note(`A key for clients of ${protocol} (id ${made.id}), shown only once:`);
      context.print(made.key);
    });
}

function settingsOf(protocol: CompatProtocol, options: CompatOptions): CompatSettings {
  return {
    protocol,
    perception: options.perception ?? usualCompatSettings.perception,
    model: options.model ?? usualCompatSettings.model,
    models: options.map ?? usualCompatSettings.models,
    aliases: options.alias ?? usualCompatSettings.aliases,
    minConfidence: options.minConfidence ?? usualCompatSettings.minConfidence,
    maxPredictions: options.maxPredictions ?? usualCompatSettings.maxPredictions,
  };
}

function parsePair(
  text: string,
  before: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const [, name, value] = /^([^=]{1,100})=(.{1,100})$/.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError('Give it as NAME=VALUE.');
  return { ...before, [name]: value };
}

function parseShare(text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (!(value >= 0 && value <= 1)) throw new InvalidArgumentError('Give a number from 0 to 1.');
  return value;
}

function parseCount(text: string): number {
  const value = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= 1 && value <= 1000)) throw new InvalidArgumentError('Give a whole number from 1 to 1000.');
  return value;
}
