import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { DataFolder } from '../data-folder.js';
import type { Database } from '../database.js';
import { ifMissing } from '../missing-file.js';
import { StorageError } from '../storage-error.js';
import { beginReplacement } from './begin-replacement.js';
import { explainKeys } from './explain-keys.js';
import { judgeKeys } from './judge-keys.js';
import { insertKeyCheck, keyCheckOf, putKeyCheck, readKeyState } from './key-check.js';
import { makeKeyFile, readKeyFile } from './key-file.js';
import { checksOf, type KeyRing, ringOf } from './key-ring.js';
import { type KeySettings, type KeySource, keySourceOf, nameOf, readKeyOf } from './key-source.js';
import { nextKeyPath, putNextKey } from './next-key.js';
import { countOpened, readSealedValues } from './sealed-values.js';
import { createSecretBox } from './secret-box.js';

export interface InstallationKeyDeps {
  readonly database: Pick<Database, 'query' | 'write'>;
  readonly folder: Pick<DataFolder, 'installationKeyPath'>;
  readonly settings: KeySettings & { readonly databaseUrl?: string };
  /** Services that were seen since then run beside this one; a service that is alone on its database unless given. */
  readonly aliveSince?: number;
}

const adopt = 'npm run -s lynceus -- secret-key adopt';
const settingNames = 'LYNCEUS_SECRET_KEY or LYNCEUS_SECRET_KEY_FILE';

/**
 * The keys with which secrets of the database are sealed and links are signed: 32 bytes each, for their owner alone. They are not
 * in the database, and so in no backup of it. The first is made at the first start of a service; afterwards they are refused
 * (`wrong-key`) unless they fit what the database knows by check values. A new sealing key beside the one of before begins its
 * replacement, once every service that runs can open what it seals.
 */
export async function openInstallationKeys(deps: InstallationKeyDeps): Promise<KeyRing> {
  const { database, folder, settings, aliveSince = Number.MAX_SAFE_INTEGER } = deps;
  const source = keySourceOf(settings, folder);
  const key = await readKeyOf(source, settings);
  if (key === null) return makeFirst(deps, (await readKeyState(database))?.current ?? null);
  const keys = ringOf(key, settings);
  for (;;) {
    const state = await readKeyState(database);
    if (state === null) {
      await checkUpgrade(deps, keys, source);
      // Another service on the database may be first: then its key is looked at next.
      await database.write([insertKeyCheck(database, key)]);
      continue;
    }
    const verdict = judgeKeys(state, checksOf(keys));
    if (verdict === 'good') return keys;
    if (verdict === 'wrong') {
      const next = await findNextKey(source, state.current);
      if (next === null || source.kind === 'setting') return refuse(deps, source, state.current);
      // A rotation that was cut after the database changed and before the file did is done to its end.
      await putNextKey(source.path);
      return ringOf(next, settings);
    }
    if (verdict !== 'new-key') throw explainKeys(verdict, nameOf(source));
    await beginReplacement(database, state, checksOf(keys), aliveSince);
  }
}

/**
 * The same for a command, which creates and changes nothing: one that ran without the settings of the service would
 * otherwise give the database another key than the service has.
 */
export async function readInstallationKeys(deps: InstallationKeyDeps): Promise<KeyRing> {
  const { database, folder, settings } = deps;
  const source = keySourceOf(settings, folder);
  const key = await readKeyOf(source, settings);
  const keys = key && ringOf(key, settings);
  const state = await readKeyState(database);
  if (state === null) {
    const sealed = await readSealedValues(database);
    if (keys !== null && sealed.length > 0) {
      await checkUpgrade(deps, keys, source);
      return keys;
    }
    throw new StorageError(
      'wrong-key',
      'The database has no key of its installation yet: the service creates it, or registers the one of its settings, at its first start. Start the service once, then run this command again.',
    );
  }
  if (keys === null) throw missingForCommand(deps, await describeKept(deps, source, state.current));
  const verdict = judgeKeys(state, checksOf(keys));
  if (verdict === 'good') return keys;
  if (verdict !== 'wrong') throw explainKeys(verdict, nameOf(source));
  const next = await findNextKey(source, state.current);
  return next === null ? refuse(deps, source, state.current) : ringOf(next, settings);
}

function missingForCommand({ folder }: InstallationKeyDeps, kept: string): StorageError {
  return new StorageError(
    'wrong-key',
    `The key of this installation is not known here: there is no file ${folder.installationKeyPath}, and neither ${settingNames} is set.${kept} Run the command with the same settings as the service; a command creates no key.`,
  );
}

/** Where nothing would be lost by it. */
async function makeFirst(deps: InstallationKeyDeps, known: string | null): Promise<KeyRing> {
  const { database, folder, settings } = deps;
  const path = folder.installationKeyPath;
  const source = { kind: 'file', path, isOwn: true } as const;
  const sealed = await readSealedValues(database);
  const kept = known === null ? '' : await describeKept(deps, source, known);
  if (sealed.length > 0) {
    throw new StorageError(
      'wrong-key',
      `The key of this installation, ${path}, is missing, and ${sealed.length} values of the database are sealed with it (passwords of destinations, second factors).${kept} Put back the file that was there (no backup of the database has it), or set ${settingNames}. If it is lost for good: ${adopt} makes a new one; destinations then want their passwords again, and who has a second factor signs in by a recovery code.`,
    );
  }
  if (known !== null && (settings.databaseUrl ?? '') !== '') {
    throw new StorageError(
      'wrong-key',
      `The key of this installation, ${path}, is missing, and other services on this database have one.${kept} Copy their file secret-key to ${path}, or set ${settingNames} for all of them. If it is lost for good: ${adopt} makes a new one.`,
    );
  }
  if (kept !== '') {
    throw new StorageError('wrong-key', `The key of this installation, ${path}, is missing.${kept}`);
  }
  const key = await makeKeyFile(path);
  await database.write([known === null ? insertKeyCheck(database, key) : putKeyCheck(database, key)]);
  const registered = (await readKeyState(database))?.current ?? null;
  return registered === keyCheckOf(key) ? ringOf(key, settings) : refuse(deps, source, registered);
}

/** A database of before there was a check value tells by what it has sealed. */
async function checkUpgrade(deps: InstallationKeyDeps, keys: KeyRing, source: KeySource): Promise<void> {
  const sealed = await readSealedValues(deps.database);
  if (sealed.length > 0 && countOpened(sealed, createSecretBox(keys)) === 0) await refuse(deps, source, null);
}

/** The key of a rotation that was cut after the database changed; null where there is none that fits. */
async function findNextKey(source: KeySource, known: string): Promise<Buffer | null> {
  if (source.kind === 'setting') return null;
  const next = await readKeyFile(nextKeyPath(source.path));
  return next !== null && keyCheckOf(next) === known ? next : null;
}

/** Where the right key lies beside the place of the key; empty where it does not. */
async function describeKept(
  { folder }: InstallationKeyDeps,
  source: KeySource,
  known: string,
): Promise<string> {
  const paths = [folder.installationKeyPath, ...(source.kind === 'file' ? [source.path] : [])];
  const kept = await findKeptKey(paths, known);
  if (kept === null) return '';
  const use =
    source.kind === 'setting'
      ? 'set LYNCEUS_SECRET_KEY_FILE to it, without LYNCEUS_SECRET_KEY'
      : `copy it to ${source.path}, and keep a copy of the one that is there`;
  return ` The key that fits this database is ${kept} (a rotation keeps the key of before): ${use}.`;
}

async function refuse(deps: InstallationKeyDeps, source: KeySource, known: string | null): Promise<never> {
  const kept = known === null ? '' : await describeKept(deps, source, known);
  throw new StorageError(
    'wrong-key',
    `${nameOf(source)} is another than this database is used with: what is sealed in it cannot be opened.${kept} Put back the file secret-key that belongs to the database, or set ${settingNames} to the key that the other services on it have. To replace the key, give this service that one too, in LYNCEUS_ACCEPTED_SECRET_KEYS. If that key is lost for good: ${adopt} takes this one in its place.`,
  );
}

/**
 * The file beside one of these keys that has the key with this check value: one that a rotation replaced (`….until-TIME`), or
 * that was about to replace it (`….next`). A backup of before a rotation wants the first, a rotation that was cut the second.
 * @returns null where there is none
 */
async function findKeptKey(keyPaths: readonly string[], check: string): Promise<string | null> {
  for (const path of new Set(keyPaths)) {
    const [dir, name] = [dirname(path), basename(path)];
    const names = (await readdir(dir).catch(ifMissing([]))).filter(
      (each) => each === name || each === `${name}.next` || each.startsWith(`${name}.until-`),
    );
    for (const each of names.sort()) {
      // One that holds no key, or that cannot be read, is not the one; whoever finds none says what is missing.
      const key = await readKeyFile(join(dir, each)).catch(() => null);
      if (key !== null && keyCheckOf(key) === check) return join(dir, each);
    }
  }
  return null;
}
