import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { readBucketAddress } from './bucket-address.js';
import { ConfigError } from './config-error.js';
import { languagesExpected, parseLanguages } from './language-list.js';
import { parseSettingText } from './parse-value.js';
import { parsePorts, portsExpected } from './port-list.js';
import { readPostgresUrl } from './postgres-address.js';
import { parseRoles, rolesExpected } from './roles.js';
import { readSecretFile, secretFileVariable } from './secret-files.js';
import { adviseName, environmentName } from './setting-names.js';
import { Settings } from './settings.js';

/** Where a value came from: the name of a variable, the path of a file, or `default`. */
type SettingSource = string;

export interface LoadedSettings {
  readonly settings: Settings;
  readonly sources: Readonly<Record<string, SettingSource>>;
}

export interface SettingsInput {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What relative paths of defaults and variables are relative to; those of a file are relative to the file. */
  readonly cwd: string;
  /** The default of `dataDir`, absolute; `data` in `cwd` unless given. */
  readonly defaultDataDir?: string;
}

/** A map, so that no name of a prototype passes for a setting. */
const properties: ReadonlyMap<string, TSchema> = new Map(Object.entries(Settings.properties));
export const settingNames: readonly string[] = [...properties.keys()];

const configVariable = 'LYNCEUS_CONFIG';
const pathSettings = [
  'dataDir',
  'modelsDir',
  'spoolDir',
  'secretKeyFile',
  'ftpCertificateFile',
  'ftpKeyFile',
];
const secretSettings: readonly string[] = ['firstKey', 'secretKey', 'acceptedSecretKeys', 'databaseUrl'];
/** Each secret may stand in a file: that of `secretKey` is named by a setting of its own, those of the others by variables. */
const secretsInFiles: ReadonlyMap<string, string> = new Map(
  secretSettings.filter((name) => name !== 'secretKey').map((name) => [secretFileVariable(name), name]),
);

/** Defaults, then the settings file, then the environment; anything unknown or out of range is refused. */
export function loadSettings(input: SettingsInput): LoadedSettings {
  const values: Record<string, unknown> = {};
  const sources: Record<string, SettingSource> = {};
  const problems: string[] = [];

  for (const [name, schema] of properties) {
    values[name] = 'default' in schema ? schema.default : undefined;
    sources[name] = 'default';
  }
  values['dataDir'] = input.defaultDataDir ?? values['dataDir'];
  readSettingsFile(input, values, sources, problems);
  readEnvironment(input, values, sources, problems);
  problems.push(...checkValues(values, sources));
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));

  resolvePaths(input, values, sources);
  const settings = Value.Parse(Settings, values);
  checkTogether(settings);
  return { settings: Object.freeze(settings), sources: Object.freeze(sources) };
}

function readSettingsFile(
  { env, cwd }: SettingsInput,
  values: Record<string, unknown>,
  sources: Record<string, SettingSource>,
  problems: string[],
): void {
  const named = env[configVariable];
  const path = resolve(cwd, named || 'lynceus.json');
  if (!named && !existsSync(path)) return;
  for (const [name, value] of Object.entries(parseSettingsFile(path))) {
    const schema = properties.get(name);
    if (!schema) {
      problems.push(`${path}: there is no setting "${name}"${adviseName(name, settingNames)}`);
      continue;
    }
    values[name] = typeof value === 'string' ? parseSettingText(name, schema, value) : value;
    sources[name] = path;
  }
}

function parseSettingsFile(path: string): object {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigError(`The settings file ${path} cannot be read: ${messageOf(error)}`);
  }
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    // The parser's message quotes the file, and the file may hold a key.
    throw new ConfigError(`The settings file ${path} is not valid JSON.`);
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw new ConfigError(`The settings file ${path} must hold one JSON object.`);
  }
  return content;
}

function readEnvironment(
  { env, cwd }: SettingsInput,
  values: Record<string, unknown>,
  sources: Record<string, SettingSource>,
  problems: string[],
): void {
  const byVariable = new Map(settingNames.map((name) => [environmentName(name), name]));
  const known = [...byVariable.keys(), ...secretsInFiles.keys(), configVariable];
  for (const [variable, text] of Object.entries(env)) {
    if (!variable.startsWith('LYNCEUS_') || variable === configVariable || text === undefined) continue;
    if (secretsInFiles.has(variable)) continue;
    const name = byVariable.get(variable);
    const schema = name === undefined ? undefined : properties.get(name);
    if (name === undefined || schema === undefined) {
      problems.push(`The environment has ${variable}, which is no setting${adviseName(variable, known)}`);
      continue;
    }
    // A variable set to nothing is how compose files and unit files leave one out.
    if (text === '') continue;
    values[name] = parseSettingText(name, schema, text);
    sources[name] = variable;
  }
  readSecretsInFiles({ env, cwd }, values, sources, problems);
}

function readSecretsInFiles(
  { env, cwd }: SettingsInput,
  values: Record<string, unknown>,
  sources: Record<string, SettingSource>,
  problems: string[],
): void {
  for (const [variable, name] of secretsInFiles) {
    const path = env[variable];
    if (path === undefined || path === '') continue;
    if (sources[name] === environmentName(name)) {
      problems.push(`${environmentName(name)} and ${variable} are both set: keep one of them.`);
      continue;
    }
    const { text, problem } = readSecretFile(variable, path, cwd);
    if (problem !== undefined) problems.push(problem);
    values[name] = text ?? values[name];
    sources[name] = variable;
  }
}

function checkValues(values: Record<string, unknown>, sources: Record<string, SettingSource>): string[] {
  const problems: string[] = [];
  for (const [name, schema] of properties) {
    const value = values[name];
    if (Value.Check(schema, value)) {
      const problem = problemOf(name, String(value));
      if (problem) problems.push(`${name} (from ${sources[name]}) ${problem}.`);
      continue;
    }
    const shown = isSecretSetting(name) ? '' : ` is ${JSON.stringify(value)} but`;
    problems.push(`${name} (from ${sources[name]})${shown} ${expectation(name, schema)}.`);
  }
  return problems;
}

/** What is wrong with a value that its schema allows. */
function problemOf(name: string, value: string): string | null {
  if (name === 'databaseUrl') return databaseUrlProblem(value);
  if (name === 'blobs') return bucketProblem(value);
  if (name === 'roles' && parseRoles(value) === null)
    return `is ${JSON.stringify(value)} but ${rolesExpected}`;
  if (name === 'compatListenerPorts' && parsePorts(value) === null)
    return `is ${JSON.stringify(value)} but ${portsExpected}`;
  if (name !== 'textLanguages' || parseLanguages(value) !== null) return null;
  return `is ${JSON.stringify(value)} but ${languagesExpected}`;
}

function bucketProblem(address: string): string | null {
  const read = address === '' ? null : readBucketAddress(address);
  return typeof read === 'string' ? `is ${JSON.stringify(address)} but ${read}` : null;
}

/** What is wrong with the address, without the address: it holds a password. */
function databaseUrlProblem(url: string): string | null {
  const read = url === '' ? null : readPostgresUrl(url);
  return typeof read === 'string' ? read : null;
}

/** What each value allows by itself and all of them together do not. */
function checkTogether(settings: Settings): void {
  const { spoolMaxBytes, secretKey, secretKeyFile } = settings;
  if (secretKey !== '' && secretKeyFile !== '') {
    throw new ConfigError('secretKey and secretKeyFile are both set: keep one of them.');
  }
  const largest = largestRequestBytes(settings);
  if (spoolMaxBytes >= largest) return;
  throw new ConfigError(
    `spoolMaxBytes is ${spoolMaxBytes}, but one request may need ${largest} bytes by maxImageBytes and maxJsonBytes: it could never be accepted. Raise spoolMaxBytes or lower the others.`,
  );
}

/** What one request takes of the spool: a JSON body lies there together with the image that is taken out of it. */
export function largestRequestBytes({
  maxImageBytes,
  maxJsonBytes,
}: Pick<Settings, 'maxImageBytes' | 'maxJsonBytes'>): number {
  return Math.max(maxImageBytes, Math.ceil((maxJsonBytes * 7) / 4));
}

/** A setting whose value is never shown as it is. */
export function isSecretSetting(name: string): boolean {
  return secretSettings.includes(name);
}

function expectation(name: string, schema: TSchema): string {
  const { type, minimum, maximum, pattern, minLength, description } = schema as TSchema & {
    readonly type?: string;
    readonly minimum?: number;
    readonly maximum?: number;
    readonly pattern?: string;
    readonly minLength?: number;
    readonly description?: string;
  };
  if (type === 'boolean') return 'must be true or false';
  if (type === 'integer' || type === 'number') {
    const kind = type === 'integer' ? 'a whole number' : 'a number';
    const range =
      maximum === undefined ? `of at least ${minimum ?? 0}` : `from ${minimum ?? 0} to ${maximum}`;
    return `must be ${kind} ${range}${name.endsWith('Bytes') ? ', such as 25MiB' : ''}`;
  }
  if (pattern) return `must match ${pattern}: ${description ?? ''}`.replace(/\.$/, '');
  if (minLength) return `must have at least ${minLength} characters`;
  return `must be a value that fits: ${description ?? ''}`.replace(/\.$/, '');
}

function resolvePaths(
  { cwd }: SettingsInput,
  values: Record<string, unknown>,
  sources: Record<string, SettingSource>,
): void {
  for (const name of pathSettings) {
    const value = values[name];
    if (typeof value !== 'string' || value === '') continue;
    const source = sources[name] ?? 'default';
    const fromFile = source !== 'default' && source !== environmentName(name);
    values[name] = resolve(fromFile ? dirname(source) : cwd, value);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
