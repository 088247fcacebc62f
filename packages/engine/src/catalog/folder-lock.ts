import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

const beatMs = 2_000;
/** A holder that has not renewed its lock for this long has died. */
const staleMs = 15_000;
const pollMs = 200;

export interface LockOptions {
  /** Called once when another process holds the lock. */
  readonly onWait?: () => void;
  readonly signal?: AbortSignal;
}

/**
 * Runs `work` under a lock on `path`. The lock is a file whose time its holder renews, which
 * works across containers that share a volume, where process ids mean nothing; on one machine a holder that died is
 * noticed at once. It avoids double work and protects downloads in progress; correctness does not depend on it, since
 * everything is checked and renamed atomically.
 */
export async function withFolderLock<T>(
  path: string,
  options: LockOptions,
  work: () => Promise<T>,
): Promise<T> {
  const token = `${hostname()} ${process.pid} ${randomUUID()}`;
  let waited = false;
  while (!(await take(path, token))) {
    options.signal?.throwIfAborted();
    if (!waited) options.onWait?.();
    waited = true;
    await breakStale(path);
    await sleep(pollMs, undefined, options.signal && { signal: options.signal });
  }
  const beat = setInterval(() => {
    const now = new Date();
    // A lock that was broken while this process was suspended is not ours to renew; the next beat fails too.
    utimes(path, now, now).catch(() => undefined);
  }, beatMs);
  beat.unref();
  try {
    return await work();
  } finally {
    clearInterval(beat);
    if ((await readOrNothing(path)) === token) await rm(path, { force: true });
  }
}

async function take(path: string, token: string): Promise<boolean> {
  try {
    await writeFile(path, token, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

async function breakStale(path: string): Promise<void> {
  const age = await ageMs(path);
  if (age === undefined || (age < staleMs && !holderDied((await readOrNothing(path)) ?? ''))) return;
  const aside = `${path}.${randomUUID()}`;
  try {
    // If several break it, one rename succeeds.
    await rename(path, aside);
    await rm(aside, { force: true });
  } catch {
    // Another process was quicker; the next attempt decides.
  }
}

function holderDied(token: string): boolean {
  const [host, pid] = token.split(' ');
  if (host !== hostname() || !/^\d+$/.test(pid ?? '')) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}

async function ageMs(path: string): Promise<number | undefined> {
  try {
    return Date.now() - (await stat(path)).mtimeMs;
  } catch {
    return undefined;
  }
}

async function readOrNothing(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    return undefined;
  }
}
