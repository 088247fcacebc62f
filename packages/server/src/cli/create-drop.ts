import type { Command } from 'commander';
import { byOperator } from '../accounts/creator.js';
import { DestinationInput, fromDestination } from '../http/api/drops/destination.js';
import { fromSettings, SettingsInput } from '../http/api/drops/settings.js';
import { foldLanguages } from '../http/api/fold-settings.js';
import type { CommandContext } from './context.js';
import { describeAccess, describeUpload } from './describe-access.js';
import { accountOption } from './drop-options.js';
import { readJson } from './read-json.js';
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
    .description('create a drop and its key, which is shown only once')
    .argument('<name>', 'its name')
    .option(...accountOption)
    .option('--user-name <name>', 'user name of the log-in; derived from the name unless given')
    .option('--settings <file>', 'settings that differ from the defaults, JSON as in the API')
    .option('--destination <file>', 'where files are delivered to, JSON as in the API, with secrets')
    .option('--json', 'answer {"id": …, "user_name": "…", "key": "…"}')
    .action(async (name: string, options: CreateOptions) => {
      const { userName, account } = options;
      const settings = await readJson(context, 'settings', options.settings, SettingsInput, foldLanguages);
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
        context.note(`Drop ${drop.id}. Its key, which is the password, is shown only once.`);
        for (const line of describeAccess(open, drop)) context.print(line);
        context.print(`Key:       ${key}`);
        context.print('');
        context.print(describeUpload(open, drop, key));
      });
    });
}
