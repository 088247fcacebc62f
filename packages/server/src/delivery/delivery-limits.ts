import { DeliveryError } from './destination.js';

/**
 * Runs work with a signal that fires on the caller's signal or the timeout. Throws the caller's reason after the caller's signal,
 * and `unreachable` after the timeout.
 */
export async function withinLimits<T>(
  signal: AbortSignal,
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const timeout = new AbortController();
  const either = AbortSignal.any([signal, timeout.signal]);
  const timer = setTimeout(() => {
    timeout.abort(
      new DeliveryError('unreachable', `the delivery took longer than ${timeoutMs / 1000} seconds`),
    );
  }, timeoutMs);
  try {
    return await untilAborted(work(either), either);
  } catch (error) {
    throw either.aborted ? either.reason : error;
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for work until the signal fires, even when the work ignores the signal. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
    work.catch(() => undefined);
  }
}

/** Limits the time of connecting and logging in; `close` ends the connection after it. */
export async function connectWithin<T>(
  timeoutMs: number,
  connect: () => Promise<T>,
  close: () => void,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(
        new DeliveryError(
          'unreachable',
          `the server did not complete the log-in within ${timeoutMs / 1000} seconds`,
        ),
      );
      close();
    }, timeoutMs);
  });
  const connected = connect();
  try {
    return await Promise.race([connected, late]);
  } finally {
    clearTimeout(timer);
    connected.catch(() => undefined);
  }
}
