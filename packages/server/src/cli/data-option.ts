import { resolve } from 'node:path';
import { Command } from 'commander';
import type { CommandContext } from './context.js';

/** For every command, before or after its name. */
export function addDataOption(program: Command): void {
  program.option('--data <folder>', 'the data folder, in place of the setting dataDir');
}

interface DataOption {
  /** The words without the option and its value. */
  readonly rest: readonly string[];
  /** What the command is given: the folder is the value of the variable of its setting. */
  readonly context: CommandContext;
}

/** Reads `--data FOLDER` ahead of the command, which reads its settings from the context. */
export function readDataOption(words: readonly string[], context: CommandContext): DataOption {
  const reader = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
  addDataOption(reader);
  let parsed: { readonly operands: readonly string[]; readonly unknown: readonly string[] };
  try {
    parsed = reader.parseOptions([...words]);
  } catch {
    // Without a value; the command's own reading of its words says so.
    return { rest: words, context };
  }
  const { data } = reader.opts<{ readonly data?: string }>();
  const rest = [...parsed.operands, ...parsed.unknown];
  if (data === undefined) return { rest, context };
  const env = { ...context.env, LYNCEUS_DATA_DIR: resolve(context.cwd, data) };
  return { rest, context: { ...context, env } };
}
