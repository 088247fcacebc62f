import type { RunDeletions } from '../accounts/deletion/run-deletions.js';
import type { Component } from '../lifecycle.js';
import type { Logger } from '../telemetry/logger.js';

const everyMs = 2000;

export interface AccountDeletionComponent extends Component {
  /** Looks for deletions that are due now, and not at the next look; resolves when that look is over. */
  wake(): Promise<void>;
}

/** Deletes accounts whose deletion is due. Behind the jobs in the order of stopping, so that it goes on while they end. */
export function createAccountDeletionComponent(
  run: RunDeletions,
  { logger, intervalMs = everyMs }: { readonly logger: Pick<Logger, 'warn'>; readonly intervalMs?: number },
): AccountDeletionComponent {
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  const wake = (): Promise<void> => {
    if (stopping.signal.aborted) return Promise.resolve();
    running ??= run(stopping.signal)
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) {
          logger.warn({ err: error }, 'account deletion failed; it is tried again');
        }
      })
      .finally(() => {
        running = undefined;
      });
    return running;
  };
  return {
    name: 'account-deletions',
    wake,
    async start() {
      timer = setInterval(() => void wake(), intervalMs).unref();
      void wake();
    },
    isReady: () => true,
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
}
