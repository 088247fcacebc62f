import { defaultModelsDir } from '@lynceus/engine';
import type { Command } from 'commander';
import { explainSettings } from '../core/explain-settings.js';
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
      if (json) {
        context.print(JSON.stringify(explained, null, 2));
        return;
      }
      const modelsDir = defaultModelsDir({ env: context.env, dataDir: loaded.settings.dataDir });
      const rows = explained.map(({ variable, value, source, description }) => [
        variable,
        showValue(variable, value, modelsDir),
        source === variable ? 'environment' : source,
        description,
      ]);
      context.print(formatTable(['SETTING', 'VALUE', 'FROM', 'MEANING'], rows));
    });
}

/** Of the settings that are empty by default, operators look for the folder of models. */
function showValue(variable: string, value: unknown, modelsDir: string): string {
  if (value !== '') return String(value);
  return variable === 'LYNCEUS_MODELS_DIR' ? `(empty) ${modelsDir}` : '(empty)';
}
