import { type Command, Option } from 'commander';
import type { DropFile } from '../drops/files/file-records.js';
import type { DropFileState } from '../storage/tables/drops.js';
import type { CommandContext } from './context.js';
import { accountOption, dropArgument, toNumber } from './drop-options.js';
import { formatBytes } from './install-progress.js';
import { toPrintable } from './printable.js';
import { formatTable, formatTime } from './table.js';
import { withDrops } from './with-domain.js';

interface FilesOptions {
  readonly account: string;
  readonly state?: DropFileState;
}
const shownFiles = 100;
const states = ['receiving', 'partial', 'held', 'arrived', 'predicted', 'written', 'done', 'failed'];

/** `drops files` and `drops retry`. */
export function addDropFileCommands(drops: Command, context: CommandContext): void {
  drops
    .command('files')
    .description(`list the newest ${shownFiles} files of a drop with their states`)
    .argument(...dropArgument)
    .option(...accountOption)
    .addOption(new Option('--state <state>', 'only those in this state').choices(states))
    .action((id: string, { account, state }: FilesOptions) =>
      withDrops(context, account, async ({ drops: all, files, accountId }) => {
        const drop = await all.read(accountId, toNumber(id));
        const wanted = { states: state && [state] };
        const page = await files.list({ accountId, dropId: drop.id }, wanted, {
          limit: shownFiles,
          after: undefined,
        });
        const rows = page.items.map((file) => [
          ...[file.id, file.state, formatBytes(file.sizeBytes), formatTime(file.createdAt)],
          toPrintable(file.folder === '' ? file.name : `${file.folder}/${file.name}`),
          toPrintable(describeOutcome(file)),
        ]);
        context.print(formatTable(['ID', 'STATE', 'SIZE', 'CAME', 'FILE', 'WHERE OR WHY'], rows));
        if (page.next !== null) context.note('There are more; the API lists all of them.');
      }),
    );

  drops
    .command('retry')
    .description('retry failed files from the step that failed')
    .argument(...dropArgument)
    .argument('[file]', 'id of a file; all failed files unless given')
    .option(...accountOption)
    .action((id: string, file: string | undefined, { account }: FilesOptions) =>
      withDrops(context, account, async ({ drops: all, files, accountId }) => {
        const { id: dropId } = await all.read(accountId, toNumber(id));
        if (file !== undefined) {
          await files.retry({ accountId, dropId }, file);
          context.print('Resumed.');
          return;
        }
        const { files: retried, left } = await files.retryFailed({ accountId, dropId });
        context.print(`${retried} files resumed${left === 0 ? '' : `; ${left} failed ones are left`}.`);
      }),
    );
}

/** Where a file is and why it has no keywords, or why it is not there. */
function describeOutcome({ state, error, deliveredTo }: DropFile): string {
  if (error === null) return deliveredTo ?? '';
  return state === 'done' ? `${deliveredTo ?? 'in done/'}; without keywords: ${error}` : error;
}
