import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { link, open, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from '../durable-folder.js';
import { StorageError } from '../storage-error.js';

const keyBytes = 32;
/** 32 bytes as base64, of the alphabet of files and addresses or of the usual one. */
const keyText = /^[A-Za-z0-9_+/-]{43}=?$/;

/** Null for a text that is no key of an installation. */
export function parseKey(text: string): Buffer | null {
  const trimmed = text.trim();
  return keyText.test(trimmed) ? Buffer.from(trimmed, 'base64url') : null;
}

/**
 * Null where there is no such file. Throws for one that cannot be read or holds no key.
 * @param followsLinks for a file that the operator names: secrets that are mounted are links
 */
export async function readKeyFile(path: string, { followsLinks = false } = {}): Promise<Buffer | null> {
  const text = await readFile(path, {
    encoding: 'utf8',
    flag: constants.O_RDONLY | (followsLinks ? 0 : constants.O_NOFOLLOW),
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new StorageError('access', `${path} cannot be read (${error.message}).`, { cause: error });
  });
  if (text === null) return null;
  const key = parseKey(text);
  if (key) return key;
  throw new StorageError(
    'damaged',
    `${path} is no key of an installation: put back the file that was there.`,
  );
}

/** A new key in a file for its owner alone: whole or not at all, and never in the place of another's, which is answered instead. */
export async function makeKeyFile(path: string): Promise<Buffer> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  const file = await open(temporary, 'wx', 0o600);
  try {
    await file.writeFile(`${randomBytes(keyBytes).toString('base64url')}\n`);
    await file.sync();
    await link(temporary, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    await syncFolder(dirname(path));
  } finally {
    await file.close();
    await rm(temporary, { force: true });
  }
  const key = await readKeyFile(path);
  if (key === null) throw new StorageError('access', `${path} cannot be made.`);
  return key;
}
