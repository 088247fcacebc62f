import { Worker } from 'node:worker_threads';
import { ServiceError } from '../../errors/service-error.js';
import type { PasswordStrength, StrengthRequest } from './password-strength.js';

/** Scores passwords in a thread of its own, which is started when it is first needed. */
export interface PasswordScorer {
  /** Throws `service_busy` when too many wait, and when it takes too long. */
  score(request: StrengthRequest): Promise<PasswordStrength>;
  close(): Promise<void>;
}

/** Of a password; the rest makes it no weaker, and the time grows faster than the length. */
const maxScoredLength = 48;
const maxWaiting = 50;
const timeoutMs = 15_000;

interface Waiting {
  readonly resolve: (strength: PasswordStrength) => void;
  readonly reject: (error: Error) => void;
}

export function createPasswordScorer(): PasswordScorer {
  const waiting = new Map<number, Waiting>();
  let serial = 0;
  let worker: Worker | null = null;

  const start = (): Worker => {
    const started = new Worker(new URL('./strength-worker.js', import.meta.url), {
      name: 'password-strength',
      execArgv: [],
    });
    started.unref();
    started.on('message', ({ id, strength }: { id: number; strength: PasswordStrength }) => {
      waiting.get(id)?.resolve(strength);
      waiting.delete(id);
    });
    let cause: unknown;
    started.on('error', (error) => {
      cause = error;
    });
    started.on('exit', () => {
      worker = null;
      const lost = new ServiceError(
        'service_busy',
        'the password could not be looked at; try again shortly',
        {
          cause,
        },
      );
      for (const { reject } of waiting.values()) reject(lost);
      waiting.clear();
    });
    return started;
  };

  return {
    async score({ password, own }) {
      if (waiting.size >= maxWaiting) {
        throw new ServiceError('service_busy', 'too many passwords are looked at; try again shortly');
      }
      worker ??= start();
      const asked = worker;
      serial += 1;
      const id = serial;
      // Nobody's password holds the thread for longer; its end tells whoever waits.
      const timer = setTimeout(() => void asked.terminate(), timeoutMs).unref();
      try {
        return await new Promise<PasswordStrength>((resolve, reject) => {
          waiting.set(id, { resolve, reject });
          asked.postMessage({ id, password: password.slice(0, maxScoredLength), own });
        });
      } finally {
        clearTimeout(timer);
      }
    },
    async close() {
      await worker?.terminate();
    },
  };
}
