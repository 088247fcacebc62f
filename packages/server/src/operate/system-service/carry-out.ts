import { execFile } from 'node:child_process';
import { chmod, chown, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Change, InstallRequest, Owner } from './plan-install.js';

const run = promisify(execFile);

/** Does one of the steps of `planInstall`. A file is there as a whole or not at all. */
export async function carryOut(
  change: Change,
  request: Pick<InstallRequest, 'user' | 'root'>,
): Promise<void> {
  if (change.kind === 'run') {
    const [program, ...args] = change.words;
    await run(program, args).catch((cause: Error & { readonly stderr?: string }) => {
      throw new Error(`${change.words.join(' ')}: ${cause.stderr?.trim() || cause.message}`, { cause });
    });
    return;
  }
  const { path, mode, owner } = change;
  if (change.kind === 'folder') {
    await mkdir(dirname(path), { recursive: true });
    await mkdir(path, { mode });
    await own(path, owner, request);
    await chmod(path, mode);
    return;
  }
  await mkdir(dirname(path), { recursive: true });
  const partial = `${path}.new`;
  await writeFile(partial, change.text, { mode: 0o600 });
  await own(partial, owner, request);
  await chmod(partial, mode);
  await rename(partial, path);
}

async function own(
  path: string,
  owner: Owner,
  { user, root }: Pick<InstallRequest, 'user' | 'root'>,
): Promise<void> {
  const [uid, gid] = await idsOf(user, root);
  await chown(path, owner === 'service' ? uid : 0, gid);
}

/** Of the user and their own group, as the machine or its image names them. */
async function idsOf(user: string, root: string): Promise<readonly [uid: number, gid: number]> {
  const users = await readFile(join(root, 'etc/passwd'), 'utf8');
  const fields = users
    .split('\n')
    .find((line) => line.startsWith(`${user}:`))
    ?.split(':');
  const [uid, gid] = [Number(fields?.[2]), Number(fields?.[3])];
  if (!(Number.isInteger(uid) && Number.isInteger(gid)))
    throw new Error(`there is no user ${user} in ${root}`);
  return [uid, gid];
}
