import { LynceusError } from '../error.js';

/** What ends a call early. */
export interface TimeLimit {
  /** Fires with a LynceusError as its reason. */
  readonly signal: AbortSignal;
  leftMs(): number;
  end(): void;
}

/** A limit that fires after the time or with the caller's signal, whichever is first; `end` lets go of both. */
export function limitTime(timeoutMs: number, given: AbortSignal | undefined): TimeLimit {
  const controller = new AbortController();
  const endsAt = performance.now() + timeoutMs;
  const timer = setTimeout(() => {
    controller.abort(new LynceusError('timeout', `the call took longer than ${timeoutMs} ms`));
  }, timeoutMs);
  const onAbort = () => {
    controller.abort(new LynceusError('aborted', 'the call was given up', { cause: given?.reason }));
  };
  if (given?.aborted) onAbort();
  given?.addEventListener('abort', onAbort);
  return {
    signal: controller.signal,
    leftMs: () => endsAt - performance.now(),
    end: () => {
      clearTimeout(timer);
      given?.removeEventListener('abort', onAbort);
    },
  };
}
