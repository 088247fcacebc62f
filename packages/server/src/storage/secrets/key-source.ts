import type { DataFolder } from '../data-folder.js';
import { StorageError } from '../storage-error.js';
import { parseKey, readKeyFile } from './key-file.js';

export interface KeySettings {
  /** The key itself; empty: in a file. */
  readonly secretKey: string;
  /** Absolute; empty: `secret-key` of the data folder. */
  readonly secretKeyFile: string;
  /** Further keys that open, separated by commas. */
  readonly acceptedSecretKeys?: string;
}

/** Where the key of the installation stands. */
export type KeySource =
  | { readonly kind: 'setting' }
  /** `isOwn`: of the data folder, made where there is none. */
  | { readonly kind: 'file'; readonly path: string; readonly isOwn: boolean };

export function keySourceOf(
  { secretKey, secretKeyFile }: KeySettings,
  { installationKeyPath }: Pick<DataFolder, 'installationKeyPath'>,
): KeySource {
  if (secretKey !== '') return { kind: 'setting' };
  if (secretKeyFile !== '') return { kind: 'file', path: secretKeyFile, isOwn: false };
  return { kind: 'file', path: installationKeyPath, isOwn: true };
}

/** Null where the data folder has none yet. Throws where a setting names one that there is not. */
export async function readKeyOf(source: KeySource, { secretKey }: KeySettings): Promise<Buffer | null> {
  if (source.kind === 'setting') {
    const key = parseKey(secretKey);
    if (key) return key;
    throw new StorageError('access', 'The setting secretKey is no key: 32 bytes as base64.');
  }
  const { path, isOwn } = source;
  const key = await readKeyFile(path, { followsLinks: !isOwn });
  if (key || isOwn) return key;
  throw new StorageError(
    'access',
    `There is no file ${path}, which the setting secretKeyFile names: put the key of the installation there.`,
  );
}

/** As messages call it. */
export function nameOf(source: KeySource): string {
  if (source.kind === 'setting') return 'The key of the setting secretKey (LYNCEUS_SECRET_KEY)';
  return source.isOwn
    ? `The key ${source.path}`
    : `The key ${source.path} of the setting secretKeyFile (LYNCEUS_SECRET_KEY_FILE)`;
}
