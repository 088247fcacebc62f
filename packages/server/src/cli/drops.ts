import type { Command } from 'commander';
import { byOperator } from '../accounts/creator.js';
import { describeDestination } from '../delivery/show-destination.js';
import type { Drop } from '../drops/drop.js';
import { toDrop } from '../drops/routes/drop.js';
import { addChangeDropCommand } from './change-drop.js';
import type { CommandContext } from './context.js';
import { addCreateDropCommand } from './create-drop.js';
import { hostsOfDrop } from './describe-access.js';
import { addDropFileCommands } from './drop-files.js';
import { addAuthorizeDropCommand } from './drop-keys.js';
import { accountOption, dropArgument, toNumber } from './drop-options.js';
import { formatBytes } from './install-progress.js';
import { toPrintable } from './printable.js';
import { formatTable, formatTime } from './table.js';
import { type Opened, withDrops } from './with-domain.js';

type OpenDrops = Opened<typeof withDrops>;

interface AccountOption {
  readonly account: string;
}

/** `drops …`: images in by FTP and SFTP, without a way through HTTP. */
export function addDropsCommand(program: Command, context: CommandContext): void {
  const drops = program
    .command('drops')
    .description('drops: receive images by FTP and SFTP, write keywords, deliver them');

  drops
    .command('list')
    .description('list the drops of an account with the numbers of their files by state')
    .option(...accountOption)
    .action(({ account }: AccountOption) =>
      withDrops(context, account, async (open) => {
        const found: Drop[] = [];
        for await (const drop of walkDrops(open)) found.push(drop);
        const counts = await open.files.count(
          open.accountId,
          found.map(({ id }) => id),
        );
        const rows = found.map(({ id, name, userName, destination, createdAt }) => {
          const { waiting = 0, failed = 0, doneToday = 0 } = counts.get(id) ?? {};
          return [
            ...[String(id), toPrintable(name), userName],
            ...[waiting, failed, doneToday].map(String),
            destination ? toPrintable(describeDestination(destination)) : '-',
            formatTime(createdAt),
          ];
        });
        const head = ['ID', 'NAME', 'USER NAME', 'WAITING', 'FAILED', 'TODAY', 'DESTINATION', 'MADE'];
        context.print(formatTable(head, rows));
      }),
    );

  addCreateDropCommand(drops, context);
  addChangeDropCommand(drops, context);

  drops
    .command('show')
    .description('show a drop with all its settings, as the API returns it')
    .argument(...dropArgument)
    .option(...accountOption)
    .action((id: string, { account }: AccountOption) =>
      withDrops(context, account, async (open) => {
        const drop = await open.drops.read(open.accountId, toNumber(id));
        const counts = await open.files.count(open.accountId, [drop.id]);
        const reach = {
          host: hostsOfDrop(open, drop.userName)[0] ?? '',
          ftpPort: open.settings.ftpPort || null,
          sftpPort: open.settings.sftpPort || null,
        };
        const shown = toDrop(drop, reach, counts.get(drop.id));
        context.print(JSON.stringify(shown, null, 2));
      }),
    );

  drops
    .command('test')
    .description('connect to the destination of a drop, write a small file there, and remove it')
    .argument(...dropArgument)
    .option(...accountOption)
    .action((id: string, { account }: AccountOption) =>
      withDrops(context, account, async (open) => {
        const verdict = await open.testDestination(
          open.accountId,
          toNumber(id),
          AbortSignal.timeout(testTimeoutMs),
        );
        if (!verdict.isGood) throw new Error(`${verdict.problem}: ${toPrintable(verdict.message)}`);
        context.print(`Written and removed: ${toPrintable(verdict.where)} (${verdict.durationMs} ms)`);
      }),
    );

  drops
    .command('key')
    .description(
      'replace the key of a drop; the new key is shown only once, the old one is refused from now on',
    )
    .argument(...dropArgument)
    .option(...accountOption)
    .action((id: string, { account }: AccountOption) =>
      withDrops(context, account, async ({ drops: all, accountId }) => {
        const { drop, key } = await all.renewKey(accountId, toNumber(id), byOperator);
        context.note(`The new key of the drop "${toPrintable(drop.name)}", shown only once:`);
        context.print(key);
      }),
    );

  addAuthorizeDropCommand(drops, context);

  addDropFileCommands(drops, context);

  drops
    .command('delete')
    .description('delete a drop with its key and its files; this cannot be undone')
    .argument(...dropArgument)
    .option(...accountOption)
    .action((id: string, { account }: AccountOption) =>
      withDrops(context, account, async ({ deletion, accountId }) => {
        const { files, bytes } = await deletion.removeDrop(accountId, toNumber(id));
        context.print(`Deleted: ${files} files, ${formatBytes(bytes)}`);
      }),
    );
}

const testTimeoutMs = 60_000;

async function* walkDrops({ drops, accountId }: OpenDrops): AsyncGenerator<Drop> {
  let after: number | undefined;
  for (;;) {
    const page = await drops.list(accountId, { limit: 100, after });
    yield* page.items;
    if (page.next === null) return;
    after = page.next;
  }
}
