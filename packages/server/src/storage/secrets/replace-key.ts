import { existsSync } from 'node:fs';
import { StorageError } from '../storage-error.js';
import { type InstallationKeyDeps, openInstallationKeys, readInstallationKeys } from './installation-key.js';
import { keyCheckOf, putKeyCheck } from './key-check.js';
import { makeKeyFile } from './key-file.js';
import { keySourceOf, readKeyOf } from './key-source.js';
import { nextKeyPath, putNextKey } from './next-key.js';
import { countOpened, readSealedValues } from './sealed-values.js';
import { createSecretBox } from './secret-box.js';

interface Rotated {
  /** Values that are sealed with the new key now. */
  readonly resealed: number;
  /** Values that no old key opened either: they stay as they are. */
  readonly lost: number;
  /** Where the new key is. */
  readonly keyPath: string;
  /** Where the old one stays, for older backups; null: where it is. */
  readonly oldKeyPath: string | null;
}

/**
 * Seals all that the database has sealed with a new key. Cut at any point it is begun again, or done to its end by the next
 * start: the new key is on disk before the database changes, in one unit, and takes the place of the old one afterwards.
 * @param newKeyPath a new file for the new key; null: it takes the place of the old one, unless that comes from a setting
 */
export async function rotateInstallationKey(
  deps: InstallationKeyDeps,
  newKeyPath: string | null,
): Promise<Rotated> {
  const { database, folder, settings } = deps;
  const source = keySourceOf(settings, folder);
  const path = newKeyPath ?? (source.kind === 'file' ? nextKeyPath(source.path) : null);
  if (path === null) {
    throw new StorageError(
      'access',
      'The key comes from the setting secretKey (LYNCEUS_SECRET_KEY), which no command can change: name a file for the new one, --to FILE.',
    );
  }
  await readInstallationKeys(deps);
  const oldKeys = await openInstallationKeys(deps);
  if (newKeyPath !== null && existsSync(newKeyPath)) {
    throw new StorageError(
      'access',
      `${newKeyPath} exists already, and nothing was changed: name a new file for the new key. If an interrupted rotation left this one, delete it first: the database is not sealed with it.`,
    );
  }
  const key = await makeKeyFile(path);
  if (keyCheckOf(key) === keyCheckOf(oldKeys[0])) {
    throw new StorageError(
      'access',
      `${path} has the key that is in use, and nothing was changed: delete this copy, then rotate again.`,
    );
  }
  const oldBox = createSecretBox(oldKeys);
  const box = createSecretBox([key]);
  let resealed = 0;
  // What another program sealed with the old key meanwhile is found the next time round.
  for (;;) {
    const statements = (await readSealedValues(database)).flatMap(({ sealed, context, replace }) => {
      const text = oldBox.open(sealed, context);
      return text === null ? [] : [replace(box.seal(text, context))];
    });
    if (statements.length === 0 && resealed > 0) break;
    await database.write([...statements, putKeyCheck(database, key)], { isSerialized: true });
    resealed += statements.length;
    if (statements.length === 0) break;
  }
  const values = await readSealedValues(database);
  return {
    resealed,
    lost: values.length - countOpened(values, box),
    ...(source.kind === 'file' && newKeyPath === null
      ? { oldKeyPath: await putNextKey(source.path), keyPath: source.path }
      : { oldKeyPath: null, keyPath: path }),
  };
}

/**
 * Takes the key that is here, or a new one where there is none, as that of the database, though what is sealed with another
 * opens no more. Answers how many values those are.
 */
export async function adoptInstallationKey(deps: InstallationKeyDeps): Promise<{ readonly lost: number }> {
  const { database, folder, settings } = deps;
  const source = keySourceOf(settings, folder);
  const key = (await readKeyOf(source, settings)) ?? (await makeKeyFile(folder.installationKeyPath));
  await database.write([putKeyCheck(database, key)]);
  const values = await readSealedValues(database);
  return { lost: values.length - countOpened(values, createSecretBox([key])) };
}
