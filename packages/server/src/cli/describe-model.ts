import type { CatalogModel, ModelRef } from '@lynceus/engine';
import { formatBytes } from './install-progress.js';

/** Everything that is known of a model, and what is not, for a person to read. */
export function describeModel(
  { entry, origin, files, manifest }: CatalogModel,
  installed?: ModelRef,
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
  const lines = [
    `${entry.title} (${entry.id})`,
    entry.summary,
    '',
    `Family        ${[entry.family, ...knows].join(', ')}`,
    `Set           ${entry.default ? 'default' : 'on request'}, ${origin === 'own' ? 'an entry of your own' : 'shipped'}`,
    `Installed     ${installed ? `${installed.version} in ${installed.dir}` : 'no'}`,
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
    ...measured.map(({ figure, value, how }) => `  - ${figure}: ${value} (${how})`),
  ];
  return lines.join('\n');
}
