import { type LoadedSettings, loadSettings } from '../core/load-settings.js';
import { type DataFolder, dataFolder } from '../storage/data-folder.js';

/** What a command is given: the world outside the process, and nothing hidden. */
export interface CommandContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Of a program that npm installed, the default of the setting `dataDir`. */
  readonly defaultDataDir?: string;
  /** The answer, for a person or a program. */
  print(text: string): void;
  /** Words beside the answer, kept out of a pipe. */
  note(text: string): void;
  /** For bytes; the process's own unless given. */
  readonly stdin?: AsyncIterable<Uint8Array>;
  readonly stdout?: NodeJS.WritableStream;
}

export function settingsOf(context: CommandContext): LoadedSettings {
  return loadSettings(context);
}

export function folderOf(context: CommandContext): DataFolder {
  return dataFolder(settingsOf(context).settings.dataDir);
}
