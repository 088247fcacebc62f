import { DeliveryError } from './destination.js';

/**
 * Work under a signal of its own, which fires with the caller's or when the time is over. Throws the caller's reason when it
 * was the caller.
 */
export async function withinLimits<T>(
  signal: AbortSignal,
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const either = new AbortController();
  const abort = () => either.abort(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    either.abort(new DeliveryError('unreachable', `it took longer than ${timeoutMs / 1000} seconds`));
  }, timeoutMs);
  try {
    return await untilAborted(work(either.signal), either.signal);
  } catch (error) {
    if (signal.aborted && !isLate) throw signal.reason;
    throw either.signal.aborted ? either.signal.reason : error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

/** Work that is waited for until the signal fires, whether or not it heeds it. */
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

/** What lets us in must do so within the time; `close` ends it when it does not. */
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
          `it did not let us in within ${timeoutMs / 1000} seconds of connecting`,
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
