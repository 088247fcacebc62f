import { ServiceError } from '../../core/service-error.js';
import { StorageError } from '../../storage/storage-error.js';

const firstBackOffMs = 1000;
const longestBackOffMs = 300_000;

const usualBackOff = { firstMs: firstBackOffMs, longestMs: longestBackOffMs };
/** A try has waited for the store for 20 seconds already; once it is back, jobs go on within a minute. */
export const awayBackOff = { firstMs: 5000, longestMs: 60_000 };

/** For owners of jobs that wait. */
export const awayMessage = 'the object store cannot be reached: it is tried again until it is there';
export const diskFullMessage =
  'the disk of the service that began it has too little room left: another one begins it, or the same when its operator has made room (diskReserveBytes)';
export const waitsForRoomMessage =
  'the disk of the service has too little room left: it waits until there is room; delete what is not needed, or have its operator make room (diskReserveBytes)';

/** Doubles up to the longest; a random half of it is left out, so that many do not come at once. */
export function backOffMs(attempts: number, { firstMs, longestMs } = usualBackOff): number {
  const whole = Math.min(longestMs, firstMs * 2 ** Math.max(0, attempts - 1));
  return whole * (0.5 + Math.random() / 2);
}

/** Whether the object store was away, whatever the error is called for the owner of the job. */
export function isStoreAway(error: unknown): boolean {
  return hasCause(error, (each) => each instanceof StorageError && each.code === 'away');
}

/**
 * Whether this machine had no room for it, by the guard of its disk or by the system; a full disk of the database server or of the
 * object store is one for all services, and is no such error.
 */
export function isDiskFullHere(error: unknown): boolean {
  return hasCause(error, (each) => {
    if (each instanceof ServiceError) return each.code === 'no_space';
    return 'code' in each && (each.code === 'ENOSPC' || each.code === 'EDQUOT');
  });
}

function hasCause(error: unknown, isSo: (each: Error) => boolean): boolean {
  if (!(error instanceof Error)) return false;
  return isSo(error) || hasCause(error.cause, isSo);
}
