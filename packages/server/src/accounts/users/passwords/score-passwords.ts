import { Worker } from 'node:worker_threads';
import { createFairSemaphore } from '../../../core/fair-semaphore.js';
import { ServiceError } from '../../../core/service-error.js';
import type { PasswordStrength, StrengthRequest } from './password-strength.js';

/** Scores passwords in a thread of its own, which is started when it is first needed. */
export type PasswordScorer = ReturnType<typeof createPasswordScorer>;

/** Of a password; the rest makes it no weaker, and the time grows faster than the length. */
const maxScoredLength = 48;
const maxWaiting = 50;
const timeoutMs = 15_000;
/** Until the thread has read its dictionaries, which takes long on a busy machine. */
const startTimeoutMs = 120_000;

interface Waiting {
  readonly resolve: (strength: PasswordStrength) => void;
  readonly reject: (error: Error) => void;
}

export function createPasswordScorer() {
  const withPermit = createFairSemaphore({
    permits: 1,
    maxWaiting,
    refusal: 'too many passwords are looked at; try again shortly',
  });
  const waiting = new Map<number, Waiting>();
  let serial = 0;
  let worker: { readonly thread: Worker; watch(): void } | null = null;

  const start = () => {
    const thread = new Worker(new URL('./strength-worker.js', import.meta.url), {
      name: 'password-strength',
      execArgv: [],
    });
    thread.unref();
    let limitMs = startTimeoutMs;
    let watchdog: NodeJS.Timeout | undefined;
    /** No password holds the thread for longer; its end tells whoever waits. */
    const watch = () => {
      clearTimeout(watchdog);
      if (waiting.size > 0) watchdog = setTimeout(() => void thread.terminate(), limitMs).unref();
    };
    thread.on('message', (message: 'ready' | { id: number; strength: PasswordStrength }) => {
      limitMs = timeoutMs;
      if (message !== 'ready') {
        waiting.get(message.id)?.resolve(message.strength);
        waiting.delete(message.id);
      }
      watch();
    });
    let cause: unknown;
    thread.on('error', (error) => {
      cause = error;
    });
    thread.on('exit', () => {
      clearTimeout(watchdog);
      worker = null;
      const message = 'the password could not be looked at; try again shortly';
      for (const { reject } of waiting.values()) reject(new ServiceError('service_busy', message, { cause }));
      waiting.clear();
    });
    return { thread, watch };
  };

  const score = (request: StrengthRequest) => {
    worker ??= start();
    const { thread, watch } = worker;
    serial += 1;
    const id = serial;
    return new Promise<PasswordStrength>((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      thread.postMessage({ id, ...request });
      watch();
    });
  };

  return {
    /**
     * Throws `service_busy` when too many wait, and when it takes too long.
     * @param accountId of the user; null where unknown. Accounts take turns with each other, and with all unknown users
     */
    score: ({ password, own }: StrengthRequest, accountId: number | null): Promise<PasswordStrength> =>
      withPermit({ accountId }, () => score({ password: password.slice(0, maxScoredLength), own })),
    async close() {
      await worker?.thread.terminate();
    },
  };
}
