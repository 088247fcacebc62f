import type { Command } from 'commander';
import { byOperator } from '../accounts/creator.js';
import type { CommandContext } from './context.js';
import { describeAccess, describeMissing, describeUpload } from './describe-access.js';
import { destinationOption, readDropJson, settingsOption } from './drop-json.js';
import { accountOption, noDestinationText } from './drop-options.js';
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
    .option(...settingsOption)
    .option(...destinationOption)
    .option('--json', 'answer {"id": …, "user_name": "…", "key": "…"}')
    .action(async (name: string, options: CreateOptions) => {
      const { userName, account } = options;
      const read = await readDropJson(context, options);
      await withDrops(context, account, async (open) => {
        // Throws where settings cannot be read, before there is a key that is shown only once.
        describeAccess(open, { userName: userName ?? name });
        const { drop, key } = await open.drops.create(open.accountId, {
          name,
          userName,
          creator: byOperator,
          ...read,
        });
        if (options.json) {
          context.print(JSON.stringify({ id: drop.id, user_name: drop.userName, key }));
          return;
        }
        context.note(`Drop ${drop.id}. Its key, which is the password, is shown only once.`);
        for (const line of describeAccess(open, drop)) context.print(line);
        context.print(`Key:       ${key}`);
        if (drop.destination === null) context.print(noDestinationText);
        const upload = describeUpload(open, drop, key);
        if (upload !== null) {
          context.print('');
          context.print(upload);
        }
        for (const line of describeMissing(open)) context.note(line);
      });
    });
}
