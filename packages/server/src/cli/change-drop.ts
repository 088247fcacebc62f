import type { Command } from 'commander';
import { describeDestination } from '../delivery/show-destination.js';
import type { CommandContext } from './context.js';
import { destinationOption, readDropJson, settingsOption } from './drop-json.js';
import { accountOption, dropArgument, noDestinationText, toNumber } from './drop-options.js';
import { toPrintable } from './printable.js';
import { withDrops } from './with-domain.js';

interface ChangeOptions {
  readonly account: string;
  readonly name?: string;
  readonly settings?: string;
  /** `false`: by `--no-destination`. */
  readonly destination?: string | false;
}

export function addChangeDropCommand(drops: Command, context: CommandContext): void {
  drops
    .command('change')
    .description('rename a drop, change settings one by one, or its destination as a whole')
    .argument(...dropArgument)
    .option(...accountOption)
    .option('--name <name>', 'another name')
    .option(...settingsOption)
    .option(...destinationOption)
    .option('--no-destination', 'deliver files nowhere: they stay in done/')
    .action(async (id: string, { account, name, settings, destination }: ChangeOptions) => {
      const change = {
        ...(await readDropJson(context, { settings, destination: destination || undefined })),
        ...(destination === false ? { destination: null } : {}),
        ...(name === undefined ? {} : { name }),
      };
      if (Object.keys(change).length === 0) throw new Error('Say what shall change; --help lists it');
      await withDrops(context, account, async (open) => {
        const drop = await open.drops.change(open.accountId, toNumber(id), change);
        context.print(`Drop ${drop.id}: ${toPrintable(drop.name)}`);
        context.print(
          drop.destination
            ? `Destination: ${toPrintable(describeDestination(drop.destination))}`
            : noDestinationText,
        );
        context.note(`It applies to files that come, and to those that wait. Try it: drops test ${drop.id}`);
      });
    });
}
