import { lstat, mkdir, realpath } from 'node:fs/promises';
import { isAbsolute, join, resolve, sep } from 'node:path';
import { syncFolder } from '../storage/durable-folder.js';
import { DeliveryError, type DestinationDeps } from './destination.js';
import type { FolderSettings } from './destination-settings.js';
import { createDiskFolder } from './disk-folder.js';
import type { UseRemoteFolder } from './remote-folder.js';

/** A local or mounted folder. */
export function useDiskFolder(
  { folder }: FolderSettings,
  { allowedFolders, withKeyLock }: DestinationDeps,
): UseRemoteFolder {
  return async (folders, signal, use) => {
    try {
      const found = await findFolder(allowedFolders, folder, folders);
      return await use(createDiskFolder({ folder: found, withKeyLock, signal }));
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code === 'ENOENT' || code === 'ENOTDIR') {
        throw new DeliveryError(
          'refused',
          `${folder} or the folder it is in does not exist; the operator must create or mount it`,
        );
      }
      throw error;
    }
  };
}

/** The allowed folder that contains a folder. Throws `not-allowed`. */
export function findAllowedRoot(allowedFolders: readonly string[], folder: string): string {
  const wanted = resolve(folder);
  const root = allowedFolders.map((allowed) => resolve(allowed)).find((allowed) => isWithin(wanted, allowed));
  if (root !== undefined) return root;
  throw new DeliveryError(
    'not-allowed',
    `${wanted} is not within a folder that the operator allows (dropFolders); the operator can set LYNCEUS_DROP_FOLDERS=${wanted}, or a folder around it, for the service and for commands`,
  );
}

/**
 * The real path of a folder within an allowed one; missing folders are created. Links on the path may lead anywhere within that
 * allowed folder, and nowhere else.
 */
export async function findFolder(
  allowedFolders: readonly string[],
  folder: string,
  folders: readonly string[],
): Promise<string> {
  const wanted = resolve(folder);
  const root = findAllowedRoot(allowedFolders, folder);
  const realRoot = await realpath(root);
  const own = wanted
    .slice(root.length)
    .split(sep)
    .filter((part) => part !== '');
  let current = realRoot;
  for (const part of [...own, ...folders]) current = await enter(current, part, realRoot);
  return current;
}

async function enter(current: string, part: string, realRoot: string): Promise<string> {
  const next = join(current, part);
  try {
    await mkdir(next);
    await syncFolder(current);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  const found = await lstat(next);
  const real = found.isSymbolicLink() ? await realpath(next) : next;
  if (!isWithin(real, realRoot)) {
    throw new DeliveryError(
      'not-allowed',
      `${next} is a link that leads out of the folder the operator allows`,
    );
  }
  if (!(await lstat(real)).isDirectory())
    throw new DeliveryError('refused', `${next} is a file; it must be a folder`);
  return real;
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

/** Parses the setting `dropFolders`. Throws an error that names an entry that is no absolute path. */
export function parseAllowedFolders(list: string): readonly string[] {
  const entries = list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  return entries.map((entry) => {
    if (isAbsolute(entry)) return resolve(entry);
    throw new Error(`dropFolders: ${entry} is not an absolute path such as /srv/images`);
  });
}
