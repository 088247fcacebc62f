interface Within {
  readonly signal: AbortSignal;
  /** Whether it was the time that aborted. */
  readonly isLate: () => boolean;
}

/**
 * Runs work with a signal that aborts with another one, or after a time. Nothing is left at the other signal afterwards; on Node 20
 * `AbortSignal.any` leaves an entry there, which adds up where a stream is tried for ever.
 */
export async function withinTime<Result>(
  outer: AbortSignal,
  timeoutMs: number,
  work: (within: Within) => Promise<Result>,
): Promise<Result> {
  outer.throwIfAborted();
  const inner = new AbortController();
  let isLate = false;
  const abort = () => inner.abort(outer.reason);
  const timer = setTimeout(() => {
    isLate = true;
    inner.abort(new DOMException('the time is over', 'TimeoutError'));
  }, timeoutMs);
  outer.addEventListener('abort', abort, { once: true });
  try {
    return await work({ signal: inner.signal, isLate: () => isLate });
  } finally {
    clearTimeout(timer);
    outer.removeEventListener('abort', abort);
  }
}
