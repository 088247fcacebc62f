import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeAddress, type PostgresAddress } from '../../core/postgres-address.js';
import type { DataFolder } from '../../storage/data-folder.js';
import { readFolderIdentity } from '../../storage/identity/folder-identity.js';
import { folderState } from '../../storage/identity/folder-state.js';
import { othersRun } from '../../storage/identity/other-services.js';
import { StorageError } from '../../storage/storage-error.js';
import { type PostgresSession, readState } from './postgres-session.js';

const nothing = 'The database was not changed';
/** For connections to go whose process has ended: the server has to notice, and on a busy machine that takes a while. */
const goneWithinMs = 5_000;
const lookEveryMs = 100;

/**
 * Throws while anybody else is at work on the database: by its connections, and by what it knows of services on other data
 * folders, whose connection may just be away.
 */
export async function requireAlone(
  session: PostgresSession,
  folder: Pick<DataFolder, 'dir' | 'identityPath' | 'restoringDir'>,
  {
    address,
    asideDir,
    areOthersStopped,
  }: {
    readonly address: PostgresAddress;
    readonly asideDir: string | null;
    readonly areOthersStopped: boolean;
  },
): Promise<void> {
  const { others, folders } = await readLasting(session);
  if (others > 0) {
    throw new StorageError(
      'locked',
      `${nothing}: ${others} connections of services or commands are open to the PostgreSQL database ${describeAddress(address)}. Stop all services first.`,
    );
  }
  if (areOthersStopped) return;
  // Amid a restore the folder's own id lies in one of three places.
  const dirs = [folder.dir, folder.restoringDir, ...(asideDir === null ? [] : [join(folder.dir, asideDir)])];
  const own: unknown[] = [];
  for (const dir of dirs) {
    const identityPath = join(dir, 'installation.json');
    // One that cannot be read is not known as our own, and its service then counts as another that runs.
    own.push((await readFolderIdentity({ identityPath }).catch(() => null))?.folder);
  }
  const nowMs = Date.now();
  const running = folders.filter((row) => !own.includes(row.uid) && folderState(row, nowMs) === 'running');
  if (running.length > 0) throw othersRun(running, nothing);
}

/** The state once nobody else is there, or after a while. */
async function readLasting(session: PostgresSession): ReturnType<typeof readState> {
  const deadline = performance.now() + goneWithinMs;
  for (;;) {
    const state = await readState(session);
    if (state.others === 0 || performance.now() > deadline) return state;
    await sleep(lookEveryMs);
    // Within a transaction the first look at the connections would be answered again.
    await session.query('SELECT pg_stat_clear_snapshot()');
  }
}
