import { access, constants, stat, statfs } from 'node:fs/promises';
import type { Settings } from '../../core/settings.js';
import type { DataFolder } from '../../storage/data-folder.js';
import { readFolderIdentity } from '../../storage/identity/folder-identity.js';
import { readRestoreMarker } from '../../storage/restore/restore-marker.js';
import { type Finding, fine, formatBytes, notice, reasonOf, wrong } from './finding.js';

/** The data folder and its disk. Nothing is made or changed. */
export async function examineDataFolder(
  folder: DataFolder,
  { diskReserveBytes }: Pick<Settings, 'diskReserveBytes'>,
): Promise<readonly Finding[]> {
  const { dir } = folder;
  if ((await stat(dir).catch(() => null)) === null) {
    return [notice('data folder', `${dir} is not there yet`, 'the first start makes it')];
  }
  const mode = constants.R_OK | constants.W_OK | constants.X_OK;
  const isUsable = await access(dir, mode).then(
    () => true,
    () => false,
  );
  if (!isUsable) {
    const who = `user ${process.getuid?.() ?? ''}`.trim();
    return [wrong('data folder', `${dir} cannot be used by ${who}`, 'run this as the user of the service')];
  }
  return [await examineIdentity(folder), await examineDisk(dir, diskReserveBytes)];
}

async function examineIdentity(folder: DataFolder): Promise<Finding> {
  try {
    if ((await readRestoreMarker(folder)) !== null) {
      return wrong(
        'data folder',
        `a restore in ${folder.dir} has not ended`,
        'finish it with lynceus restore --finish, or undo it with lynceus restore --undo',
      );
    }
    const identity = await readFolderIdentity(folder);
    return fine(
      'data folder',
      `${folder.dir}${identity === null ? ', used by no service so far' : `, folder ${identity.folder} of installation ${identity.installation}`}`,
    );
  } catch (error) {
    return wrong('data folder', reasonOf(error));
  }
}

async function examineDisk(dir: string, reserveBytes: number): Promise<Finding> {
  const disk = await statfs(dir);
  const [freeBytes, bytes] = [disk.bavail * disk.bsize, disk.blocks * disk.bsize];
  const found = `${formatBytes(freeBytes)} of ${formatBytes(bytes)} free`;
  if (disk.ffree === 0 && disk.files > 0) {
    return wrong(
      'disk',
      `${found}, but no file can be added (no inodes)`,
      'delete files, or use another disk',
    );
  }
  if (freeBytes > 2 * reserveBytes) return fine('disk', found);
  const reserve = `diskReserveBytes is ${formatBytes(reserveBytes)}`;
  if (freeBytes > reserveBytes) return notice('disk', `${found}; ${reserve}`, 'make room before it is full');
  return wrong(
    'disk',
    `${found}; ${reserve}, so that images, models and files of drops are refused`,
    'make room, or lower diskReserveBytes',
  );
}
