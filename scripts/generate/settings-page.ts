import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { TSchema } from 'typebox';
import { environmentName } from '#server/core/setting-names.js';
import { Settings } from '#server/core/settings.js';

export const settingsPagePath = fileURLToPath(new URL('../../../docs/settings.md', import.meta.url));

/** What a page of settings is written of: the schema's own keywords. */
interface SettingSchema {
  readonly type?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly anyOf?: readonly { readonly const?: unknown }[];
  readonly description?: string;
}

const groups: readonly { readonly title: string; readonly names: RegExp }[] = [
  {
    title: 'Where it listens',
    names:
      /^(roles|host|port|pathPrefix|publicAddress|trustedProxies|compatListenerPorts|maxConnections|connections\w+|maxEventStreams|eventStreams\w+|requestTimeoutMs|drain\w+Ms|errorsAsOk)$/,
  },
  {
    title: 'Where things are kept',
    names:
      /^(dataDir|joinInstallation|database\w+|blob\w+|modelsDir|modelCacheMaxMb|spool\w+|keepImages|quarantineDays|diskReserveBytes|thumbnails\w+|features\w+)$/,
  },
  {
    title: 'Accounts, people and limits',
    names:
      /^(firstKey|secretKey\w*|acceptedSecretKeys|trialCalls|resultDays|accountDeletion\w+|rateLimit\w+|openSignUp|session\w+|audit\w+)$/,
  },
  { title: 'Images', names: /^(maxImageBytes|maxPixels|maxJsonBytes|fetch\w+)$/ },
  {
    title: 'Recognition',
    names:
      /^(recognitionParts|default(Detector|Classifier)|v2Model|textLanguages|face(Chain|Index\w*)|inference\w+|decodeMaxCpuMs)$/,
  },
  {
    title: 'Models and datasets of accounts',
    names: /^(accountMax\w+|customInference\w+|maxModelBytes|maxArchiveBytes|importTimeoutMs|training\w+)$/,
  },
  { title: 'Photographs by FTP and SFTP', names: /^(s?ftp|drop|delivery)\w+$/ },
  { title: 'Live streams and videos', names: /^(ffmpegPath|stream[A-Z]\w+|video[A-Z]\w+)$/ },
  { title: 'Watching it', names: /^(metrics(Host|Port)|logLevel)$/ },
];

const head = `# Settings

Every setting may stand in the environment or in a file. The environment wins; what is in neither has its default. A name that is
no setting, or a value that does not fit, stops the service with a line that says what to fix. \`npm run -s lynceus -- config\` shows what is
in force on a machine, and where each value came from.

- **The file** is \`lynceus.json\` in the folder that the service is started in, or the one that \`LYNCEUS_CONFIG\` names: one JSON object,
  such as \`{"port": 9000, "keepImages": true}\`. Relative paths in it start from the file.
- **The environment** has each under a name of its own, such as \`LYNCEUS_PORT=9000\`. One that is set to nothing is as not set.
- **Secrets** may stand in files, as orchestrators mount them: \`LYNCEUS_DATABASE_URL_FILE\`, \`LYNCEUS_FIRST_KEY_FILE\` and
  \`LYNCEUS_ACCEPTED_SECRET_KEYS_FILE\` name files whose text is the value, and \`LYNCEUS_SECRET_KEY_FILE\` is a setting of its own.
- **Bytes** may carry a unit: \`25MiB\`, \`1.5 GB\`. Names that end in \`Ms\` are milliseconds.
- A change holds from the next start.

This page is written from the descriptions in \`packages/server/src/core/\` by \`npm run generate -- settings\`.
`;

/** `docs/settings.md`, of the schema of all settings. Throws when a setting belongs to no group, or to two. */
export function formatSettingsPage(
  properties: Readonly<Record<string, TSchema & SettingSchema>> = Settings.properties,
): string {
  const sections = groups.map(({ title }) => ({ title, rows: [] as string[] }));
  for (const [name, schema] of Object.entries(properties)) {
    const fitting = groups.flatMap(({ names }, index) => (names.test(name) ? [index] : []));
    const [only] = fitting;
    if (only === undefined || fitting.length > 1) {
      throw new Error(
        `The setting ${name} must be in one group of scripts/generate/settings-page.ts, and is in ${fitting.length}.`,
      );
    }
    sections[only]?.rows.push(formatRow(name, schema));
  }
  const tables = sections.map(
    ({ title, rows }) =>
      `\n## ${title}\n\n| lynceus.json | environment | value | default | |\n|---|---|---|---|---|\n${rows.join('\n')}\n`,
  );
  return head + tables.join('');
}

export async function writeSettingsPage(): Promise<void> {
  const page = formatSettingsPage();
  const before = await readFile(settingsPagePath, 'utf8').catch(() => '');
  if (before !== page) await writeFile(settingsPagePath, page);
  console.log(`${settingsPagePath} ${before === page ? 'is as it was' : 'is updated'}`);
}

function formatRow(name: string, schema: SettingSchema): string {
  const cells = [
    `\`${name}\``,
    `\`${environmentName(name)}\``,
    formatKind(name, schema),
    formatDefault(name, schema.default),
    formatText(schema.description ?? ''),
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function formatKind(name: string, { type, minimum, maximum, anyOf }: SettingSchema): string {
  if (anyOf) return anyOf.map(({ const: value }) => `\`${value}\``).join(', ');
  if (type === 'boolean') return '`true` or `false`';
  if (type === 'string') return 'text';
  const from = minimum ?? 0;
  const range = maximum === undefined ? `${from} or more` : `${from} to ${maximum}`;
  return name.endsWith('Bytes') ? `bytes, ${range}` : `whole number, ${range}`;
}

function formatDefault(name: string, value: unknown): string {
  if (value === '' || value === undefined) return 'empty';
  return `\`${name.endsWith('Bytes') ? formatBytes(Number(value)) : String(value)}\``;
}

/** In the largest unit that is exact. */
function formatBytes(bytes: number): string {
  const units = ['GiB', 'MiB', 'KiB'] as const;
  for (const [index, unit] of units.entries()) {
    const size = 1024 ** (3 - index);
    if (bytes >= size && bytes % size === 0) return `${bytes / size} ${unit}`;
  }
  return String(bytes);
}

/** Example addresses are text, not links to a real site. */
function formatText(description: string): string {
  return description.replace(/\b(?:https?|postgres):\/\/[^\s;,]*[^\s;,.]/g, '`$&`');
}
