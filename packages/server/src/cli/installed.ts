import { userDataDir } from '../core/user-data-dir.js';
import type { CommandContext } from './context.js';
import { readDataOption } from './data-option.js';
import { processContext, runCommandLine } from './main.js';

/**
 * The command line of a program that npm installed: `lynceus` and `lynceus serve` install the models that are missing and run
 * the service, as npm start does in a clone. The data folder is the user's unless an option or a setting names another.
 * Answers the exit code of `runCommandLine`.
 */
export async function runInstalled(
  words: readonly string[],
  context: CommandContext = processContext(),
): Promise<number> {
  const ours = { ...context, defaultDataDir: userDataDir(context.env) };
  const { rest, context: chosen } = readDataOption(words, ours);
  const serves = rest.length === 0 || (rest.length === 1 && rest[0] === 'serve');
  if (!serves) return runCommandLine(words, ours);
  const installed = await runCommandLine(['models', 'install', '--keep-older'], chosen);
  return installed === 0 ? runCommandLine(['serve'], chosen) : installed;
}
