import type { Command } from 'commander';
import { adoptPair, type PairView, viewPair } from '../storage/identity/adopt-pair.js';
import { type CommandContext, folderOf, settingsOf } from './context.js';
import { formatTable } from './table.js';

/** `adopt`: this folder and this database belong together. */
export function addAdoptCommand(program: Command, context: CommandContext): void {
  program
    .command('adopt')
    .description('declare that the data folder and the database belong together; first shows its findings')
    .option('--yes', 'do it; the service on this folder must be stopped')
    .action(async ({ yes }: { readonly yes?: true }) => {
      const { settings } = settingsOf(context);
      const folder = folderOf(context);
      const view = await viewPair(folder, settings);
      context.print(formatView(folder.dir, view));
      if (view.isPair) {
        context.print('They already belong together. Nothing was changed.');
        return;
      }
      if (!yes) {
        context.print('Nothing was changed. If they belong together, run the command again with --yes.');
        return;
      }
      await adoptPair(folder, settings, Date.now());
      context.print(
        'Adopted. No file was touched. Sweeps are suspended for a day; look for missing images until then.',
      );
    });
}

function formatView(dir: string, { folder, database, databaseShown, comparison }: PairView): string {
  const sums = { store: 'all', ...comparison };
  const rows = [...comparison.stores, sums].map(({ store, files, named, rows: naming }) =>
    [store, files, named, files - named, naming, Math.max(0, naming - named)].map(String),
  );
  return [
    `data folder  ${dir}: ${folder === null ? 'no id' : `installation ${folder}`}`,
    `database     ${databaseShown}: ${database === null ? 'no id' : `installation ${database}`}`,
    '',
    formatTable(['STORE', 'FILES', 'WITH ROW', 'WITHOUT ROW', 'ROWS', 'WITHOUT FILE'], rows),
    '',
  ].join('\n');
}
