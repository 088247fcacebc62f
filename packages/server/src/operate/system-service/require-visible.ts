import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { InstallRefused } from './install-refused.js';

/** Folders that a service under our unit does not see, though programs may be in them: a Node.js of nvm, a clone in a home. */
const hiddenDirs = ['/home', '/root', '/run/user', '/tmp', '/var/tmp'];

/**
 * Throws `InstallRefused` for a file that the service's user could not read.
 * @param path absolute
 * @param what of the message
 */
export async function requireVisible(path: string, what: string): Promise<void> {
  if (hiddenDirs.some((dir) => path.startsWith(`${dir}/`))) {
    throw new InstallRefused(
      `${what} is in ${dirname(path)}, which a service is not shown; install it for all users, such as in /opt or /usr/local.`,
    );
  }
  for (let each = path; ; each = dirname(each)) {
    const { mode } = await stat(each).catch(() => ({ mode: 0 }));
    const needed = each === path ? 0o004 : 0o001;
    if ((mode & needed) === 0) {
      throw new InstallRefused(`${each} cannot be read by every user, and so not by the service; chmod it.`);
    }
    if (each === dirname(each)) return;
  }
}
