import { execFile } from 'node:child_process';
import { chmod, chown, lstat, utimes } from 'node:fs/promises';
import { promisify } from 'node:util';
import { TagProblem } from './tag-problem.js';

const run = promisify(execFile);

/**
 * Gives a new file the mode, owner, times, access list and extended attributes of the file that it is to replace. Node.js knows
 * nothing of the last two, so cp of GNU does it; where that is missing, they are lost. Throws `TagProblem` where the owner or the
 * mode cannot be kept.
 */
export async function copyAttributes(from: string, to: string): Promise<void> {
  const isCopied = await run('cp', ['--attributes-only', '--preserve=all', '--', from, to], {
    env: { PATH: process.env['PATH'], LC_ALL: 'C' },
  }).then(
    () => true,
    () => false,
  );
  const wanted = await lstat(from);
  if (!isCopied) {
    // First, since another owner takes bits of the mode away.
    await chown(to, wanted.uid, wanted.gid).catch(() => undefined);
    await chmod(to, wanted.mode & 0o7777);
    await utimes(to, wanted.atime, wanted.mtime);
  }
  const made = await lstat(to);
  if (made.uid !== wanted.uid || made.gid !== wanted.gid || made.mode !== wanted.mode) {
    throw new TagProblem('it belongs to another user or group, who would not own it any more', {
      isLasting: true,
    });
  }
}

/**
 * Gives a new sidecar the owner and the rights of its image, as far as this user may. Its owner may write to it, also where the
 * image is protected: sidecars are for what changes.
 */
export async function copyRights(from: string, to: string): Promise<void> {
  const { uid, gid, mode } = await lstat(from);
  await chown(to, uid, gid).catch(() => undefined);
  await chmod(to, (mode & 0o666) | 0o200);
}
