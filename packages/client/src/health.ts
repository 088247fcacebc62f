import type { CallOptions } from './options.js';
import { ask, type Send } from './service/call.js';
import type { Liveness, Readiness } from './types/health.js';

export function createHealth(send: Send) {
  return {
    /** Answers while the service runs. */
    live: async (options: CallOptions = {}): Promise<Liveness> =>
      ask(send, { method: 'GET', path: '/livez' }, options),

    /** Whether the service can work, and what is missing. */
    ready: async (options: CallOptions = {}): Promise<Readiness> =>
      ask(send, { method: 'GET', path: '/readyz', alsoAnswers: 503 }, options),
  };
}
