import type { TSchema } from 'typebox';
import { isSecretSetting, type LoadedSettings, settingNames } from './load-settings.js';
import { maskPostgresUrl } from './postgres-address.js';
import { environmentName } from './setting-names.js';
import { Settings } from './settings.js';

/** One setting, described for users. */
export interface ExplainedSetting {
  readonly name: string;
  readonly variable: string;
  readonly value: unknown;
  readonly byDefault: unknown;
  readonly source: string;
  readonly description: string;
}

const properties: Readonly<Record<string, TSchema>> = Settings.properties;

/** Every setting in the order of the schema, with secrets masked. */
export function explainSettings({ settings, sources }: LoadedSettings): readonly ExplainedSetting[] {
  const values: Readonly<Record<string, unknown>> = settings;
  return settingNames.map((name) => ({
    name,
    variable: environmentName(name),
    value: isSecretSetting(name) ? maskSecret(name, String(values[name])) : values[name],
    byDefault: defaultOf(properties[name]),
    source: sources[name] ?? 'default',
    description: describe(properties[name]),
  }));
}

function maskSecret(name: string, value: string): string {
  if (value === '') return '';
  return name === 'databaseUrl' ? maskPostgresUrl(value) : '********';
}

function defaultOf(schema: TSchema | undefined): unknown {
  return schema && 'default' in schema ? schema.default : undefined;
}

function describe(schema: TSchema | undefined): string {
  return schema && 'description' in schema ? String(schema.description) : '';
}
