import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { link, open, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from '../durable-folder.js';
import { StorageError } from '../storage-error.js';

const keyBytes = 32;

/**
 * The key with which secrets are sealed, made when it is first asked for: 32 bytes, for its owner alone. It is not in the
 * database, and so in no backup of it.
 */
export async function readInstallationKey(path: string): Promise<Buffer> {
  return (await readKey(path)) ?? (await makeKey(path));
}

async function readKey(path: string): Promise<Buffer | null> {
  const text = await readFile(path, {
    encoding: 'utf8',
    flag: constants.O_RDONLY | constants.O_NOFOLLOW,
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw new StorageError('access', `${path} cannot be read (${error.message}).`, { cause: error });
  });
  if (text === null) return null;
  const key = Buffer.from(text.trim(), 'base64url');
  if (key.length === keyBytes) return key;
  throw new StorageError(
    'damaged',
    `${path} is no key of an installation: put back the file that was there.`,
  );
}

/** Whole or not at all, and never in the place of another's. */
async function makeKey(path: string): Promise<Buffer> {
  const passing = `${path}.${randomBytes(6).toString('hex')}`;
  const file = await open(passing, 'wx', 0o600);
  try {
    await file.writeFile(`${randomBytes(keyBytes).toString('base64url')}\n`);
    await file.sync();
    await link(passing, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    await syncFolder(dirname(path));
  } finally {
    await file.close();
    await rm(passing, { force: true });
  }
  const key = await readKey(path);
  if (key === null) throw new StorageError('access', `${path} cannot be made.`);
  return key;
}
