import type { DestinationRequest } from '../drops/destination-rows.js';
import type { DropSettingsChange } from '../drops/drop-settings.js';
import { DestinationInput, fromDestination } from '../drops/routes/destination.js';
import { fromSettings, SettingsInput } from '../drops/routes/settings.js';
import { foldLanguages } from '../http/api/fold-settings.js';
import type { CommandContext } from './context.js';
import { readJson } from './read-json.js';

export const settingsOption = ['--settings <file>', 'settings that differ, JSON as in the API'] as const;
export const destinationOption = [
  '--destination <file>',
  'where files are delivered to, JSON as in the API, with secrets',
] as const;

/** What the files of `--settings` and `--destination` say. Each has its value alone, or the whole JSON of the API with that field. */
export async function readDropJson(
  context: CommandContext,
  files: { readonly settings?: string | undefined; readonly destination?: string | undefined },
): Promise<{ readonly settings?: DropSettingsChange; readonly destination?: DestinationRequest }> {
  const settings = await readJson(context, 'settings', files.settings, SettingsInput, (value) =>
    foldLanguages(takeField('settings', value)),
  );
  const destination = await readJson(context, 'destination', files.destination, DestinationInput, (value) =>
    takeField('destination', value),
  );
  return {
    ...(settings === undefined ? {} : { settings: fromSettings(settings) }),
    ...(destination === undefined ? {} : { destination: fromDestination(destination) }),
  };
}

function takeField(name: string, value: unknown): unknown {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const field = entries.find(([each]) => each === name);
  return field === undefined ? value : field[1];
}
