import { defaultModelsDir } from '@lynceus/engine';
import type { Command } from 'commander';
import { explainSettings } from '../config/explain-settings.js';
import { type CommandContext, settingsOf } from './context.js';
import { formatTable } from './table.js';

export function addConfigCommand(program: Command, context: CommandContext): void {
  program
    .command('config')
    .description('show every setting: its value, where it came from, what it means')
    .option('--json', 'answer a list of objects')
    .action(({ json }: { readonly json?: boolean }) => {
      const loaded = settingsOf(context);
      const explained = explainSettings(loaded);
      const { dataDir } = loaded.settings;
      if (json) {
        context.print(JSON.stringify(explained, null, 2));
        return;
      }
      const rows = explained.map(({ variable, value, source, description }) => [
        variable,
        // Of the empty settings this is the one that people go looking for.
        variable === 'LYNCEUS_MODELS_DIR' && value === ''
          ? `(empty) ${defaultModelsDir({ env: context.env, dataDir })}`
          : value === ''
            ? '(empty)'
            : String(value),
        source === variable ? 'environment' : source,
        description,
      ]);
      context.print(formatTable(['SETTING', 'VALUE', 'FROM', 'MEANING'], rows));
    });
}
