import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type Static, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import { byOperator } from '../accounts/creator.js';
import { DestinationInput, fromDestination } from '../http/api/drops/destination.js';
import { fromSettings, SettingsInput } from '../http/api/drops/settings.js';
import { explainFaults } from '../http/api/explain-faults.js';
import type { CommandContext } from './context.js';
import { describeAccess, describeUpload } from './describe-access.js';
import { accountOption } from './drop-options.js';
import { withDrops } from './with-domain.js';

interface CreateOptions {
  readonly account: string;
  readonly userName?: string;
  readonly settings?: string;
  readonly destination?: string;
  readonly json?: boolean;
}

export function addCreateDropCommand(drops: Command, context: CommandContext): void {
  drops
    .command('create')
    .description('make a drop with a key of its own, which is shown this once')
    .argument('<name>', 'what it is called')
    .option(...accountOption)
    .option('--user-name <name>', 'by which one logs in; made of the name unless given')
    .option('--settings <file>', 'settings that shall be otherwise than usual, JSON as the API takes them')
    .option('--destination <file>', 'where files go, JSON as the API takes it, secrets and all')
    .option('--json', 'answer {"id": …, "user_name": "…", "key": "…"}')
    .action(async (name: string, options: CreateOptions) => {
      const { userName, account } = options;
      const settings = await readJson(context, 'settings', options.settings, SettingsInput);
      const destination = await readJson(context, 'destination', options.destination, DestinationInput);
      await withDrops(context, account, async (open) => {
        const { drop, key } = await open.drops.create(open.accountId, {
          name,
          userName,
          creator: byOperator,
          ...(settings === undefined ? {} : { settings: fromSettings(settings) }),
          ...(destination === undefined ? {} : { destination: fromDestination(destination) }),
        });
        if (options.json) {
          context.print(JSON.stringify({ id: drop.id, user_name: drop.userName, key }));
          return;
        }
        context.note(`Drop ${drop.id}. Its key, the password, is shown this once.`);
        for (const line of describeAccess(open, drop)) context.print(line);
        context.print(`Key:       ${key}`);
        context.print('');
        context.print(describeUpload(open, drop, key));
      });
    });
}

async function readJson<Schema extends TSchema>(
  { cwd }: CommandContext,
  what: string,
  file: string | undefined,
  schema: Schema,
): Promise<Static<Schema> | undefined> {
  if (file === undefined) return undefined;
  const path = resolve(cwd, file);
  const text = await readFile(path, 'utf8').catch(() => {
    throw new Error(`there is no file ${path} that can be read`);
  });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Of the file's own words none are told: it may hold secrets.
    throw new Error(`${path} is not JSON`);
  }
  if (Value.Check(schema, value)) return value;
  const whole = Type.Object({ [what]: schema });
  const given = { [what]: value };
  throw new Error(`${path}: ${explainFaults(whole, given, [...Value.Errors(whole, given)])}`);
}
