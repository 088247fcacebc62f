import { setTimeout as sleep } from 'node:timers/promises';
import { FetchError } from './fetch-context.js';

const attempts = 4;
const firstPauseMs = 500;

/** Repeats a download that the network interrupted. A `FetchError` that no repetition changes is thrown at once. */
export async function withAttempts<T>(host: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof FetchError && !error.unreachable) throw error;
      if (attempt === attempts) {
        throw new FetchError(`${host} cannot be reached (${reason(error)})`, true, { cause: error });
      }
      await sleep(firstPauseMs * 2 ** (attempt - 1), undefined, { signal });
    }
  }
}

export function statusError(host: string, name: string, status: number): FetchError {
  // 408, 429 and 5xx are transient; a retry does not change the others.
  const isTransient = status === 408 || status === 429 || status >= 500;
  return new FetchError(`${host} answered ${status} for ${name}`, isTransient);
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (cause instanceof Error && 'code' in cause) return String(cause.code);
  return cause instanceof Error ? cause.message : error.message;
}
