import type { DataFolder } from '../data-folder.js';
import type { Database } from '../database.js';
import { StorageError } from '../storage-error.js';
import { insertKeyCheck, keyCheckOf, putKeyCheck, readKeyCheck } from './key-check.js';
import { makeKeyFile, readKeyFile } from './key-file.js';
import { type KeySettings, type KeySource, keySourceOf, nameOf, readKeyOf } from './key-source.js';
import { nextKeyPath, putNextKey } from './next-key.js';
import { countOpened, readSealedValues } from './sealed-values.js';
import { createSecretBox } from './secret-box.js';

export interface InstallationKeyDeps {
  readonly database: Pick<Database, 'query' | 'write'>;
  readonly folder: Pick<DataFolder, 'installationKeyPath'>;
  readonly settings: KeySettings & { readonly databaseUrl?: string };
}

const adopt = 'npm run -s lynceus -- secret-key adopt';
const settingNames = 'LYNCEUS_SECRET_KEY or LYNCEUS_SECRET_KEY_FILE';

/**
 * The key with which secrets of the database are sealed and links are signed: 32 bytes, for its owner alone. It is not in the
 * database, and so in no backup of it. Made at the first start; afterwards refused (`wrong-key`) unless it is the one that the
 * database knows by its check value.
 */
export async function openInstallationKey(deps: InstallationKeyDeps): Promise<Buffer> {
  const { database, folder, settings } = deps;
  const source = keySourceOf(settings, folder);
  const key = await readKeyOf(source, settings);
  const known = await readKeyCheck(database);
  if (key === null) return makeFirst(deps, known);
  if (known === keyCheckOf(key)) return key;
  if (known !== null) return (await endRotation(source, known)) ?? refuse(source);
  await checkUpgrade(deps, key, source);
  await database.write([insertKeyCheck(database, key)]);
  // Another service on the database may have been first.
  return (await readKeyCheck(database)) === keyCheckOf(key) ? key : refuse(source);
}

/** Where nothing would be lost by it. */
async function makeFirst(deps: InstallationKeyDeps, known: string | null): Promise<Buffer> {
  const { database, folder, settings } = deps;
  const path = folder.installationKeyPath;
  const sealed = await readSealedValues(database);
  if (sealed.length > 0) {
    throw new StorageError(
      'wrong-key',
      `The key of this installation, ${path}, is missing, and ${sealed.length} values of the database are sealed with it (passwords of destinations, second factors). Put back the file that was there (no backup of the database has it), or set ${settingNames}. If it is lost for good: ${adopt} makes a new one; destinations then want their passwords again, and who has a second factor signs in by a recovery code.`,
    );
  }
  if (known !== null && (settings.databaseUrl ?? '') !== '') {
    throw new StorageError(
      'wrong-key',
      `The key of this installation, ${path}, is missing, and other services on this database have one. Copy their file secret-key to ${path}, or set ${settingNames} for all of them. If it is lost for good: ${adopt} makes a new one.`,
    );
  }
  const key = await makeKeyFile(path);
  await database.write([known === null ? insertKeyCheck(database, key) : putKeyCheck(database, key)]);
  if ((await readKeyCheck(database)) === keyCheckOf(key)) return key;
  return refuse({ kind: 'file', path, isOwn: true });
}

/** A database of before there was a check value tells by what it has sealed. */
async function checkUpgrade(deps: InstallationKeyDeps, key: Buffer, source: KeySource): Promise<void> {
  const sealed = await readSealedValues(deps.database);
  if (sealed.length > 0 && countOpened(sealed, createSecretBox(key)) === 0) refuse(source);
}

/** A rotation that was cut after the database changed and before the file did is done to its end. */
async function endRotation(source: KeySource, known: string): Promise<Buffer | null> {
  if (source.kind === 'setting') return null;
  const next = await readKeyFile(nextKeyPath(source.path));
  if (next === null || keyCheckOf(next) !== known) return null;
  await putNextKey(source.path);
  return next;
}

function refuse(source: KeySource): never {
  throw new StorageError(
    'wrong-key',
    `${nameOf(source)} is another than this database is used with: what is sealed in it cannot be opened. Put back the file secret-key that belongs to the database, or set ${settingNames} to the key that the other services on it have. If that key is lost for good: ${adopt} takes this one in its place.`,
  );
}
