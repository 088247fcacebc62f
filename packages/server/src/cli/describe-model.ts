import type { CatalogModel, Int8Arithmetic, ModelRef } from '@lynceus/engine';
import { formatBytes } from './install-progress.js';
import { toPrintable } from './printable.js';

const arithmetics = {
  float: 'floats',
  native: '8-bit weights as they are: this CPU adds their products exactly',
  'unsigned-weights':
    '8-bit weights made unsigned on loading: exact, as the int8 products of this CPU saturate',
  inexact: '8-bit weights, which this CPU does not add exactly: scores may be off',
  unknown: '8-bit weights; no inference process started that could try how this CPU adds them',
} as const;

/** Everything that is known of a model, and what is not, for a person to read. */
export function describeModel(
  { entry, origin, files, manifest }: CatalogModel,
  installed: ModelRef | undefined,
  arithmetic: Int8Arithmetic | 'float' | null,
): string {
  const { source, licence, provenance, measured, calibration } = entry;
  const knows = [
    ...(manifest.labels.length > 0 ? [`${manifest.labels.length} classes`] : []),
    ...(entry.alphabet ? [`characters of ${entry.alphabet.file}`] : []),
  ];
  const from =
    source.kind === 'npm'
      ? `npm package ${source.package}@${source.version} (${source.integrity})`
      : source.kind === 'https'
        ? 'by address'
        : 'files of this machine';
  const older = installed?.version === manifest.version ? '' : ', an older conversion: models install';
  const lines = [
    `${entry.title} (${entry.id})`,
    entry.summary,
    '',
    `Family        ${[entry.family, ...knows].join(', ')}`,
    `Set           ${entry.default ? 'default' : 'on request'}, ${origin === 'own' ? 'an entry of your own' : 'shipped'}`,
    ...(entry.modelId === undefined ? [] : [`Number        ${entry.modelId}, as model_id`]),
    `Installed     ${installed ? `${installed.version} in ${installed.dir}${older}` : 'no'}`,
    `Arithmetic    ${arithmetics[arithmetic ?? 'unknown']}`,
    `Calibration   ${calibration?.version ?? 'none'}`,
    '',
    `Licence       ${licence.stated}`,
    `  stated by   ${licence.by}`,
    '',
    'Provenance, what is known',
    ...provenance.known.map((text) => `  - ${text}`),
    'Provenance, what is not known',
    ...(provenance.unknown.length > 0 ? provenance.unknown : ['Nothing is known to be missing.']).map(
      (text) => `  - ${text}`,
    ),
    '',
    `Source        ${from}`,
    ...files.map(({ from: path, bytes, sha256 }) => `  ${path}, ${formatBytes(bytes)}\n    sha256 ${sha256}`),
    '',
    'Measured',
    ...(measured.length > 0
      ? measured.map(({ figure, value, how }) => `  - ${figure}: ${value} (${how})`)
      : ['  - nothing']),
    ...(licence.text === undefined
      ? []
      : ['', 'Text of the licence', '', licence.text.replaceAll('\r\n', '\n')]),
  ];
  // An added model's texts come from elsewhere.
  return lines.flatMap((line) => line.split('\n').map(toPrintable)).join('\n');
}
