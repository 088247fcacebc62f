/** One part of the service, such as the database, the inference processes or a listener. */
export interface Part {
  readonly name: string;
  start(): Promise<void>;
  /** True, or in words what is missing; asked at each look at `/readyz`. */
  isReady(): true | string;
  /** What an operator has to know although it works, in words; undefined: nothing. */
  warning?(): string | undefined;
  /** Takes nothing new and finishes what is in flight; the signal fires when the time for it is over. */
  drain?(signal: AbortSignal): Promise<void>;
  stop(): Promise<void>;
}

export interface Readiness {
  readonly ready: boolean;
  readonly parts: readonly {
    readonly name: string;
    readonly ready: boolean;
    readonly reason?: string;
    readonly warning?: string;
  }[];
}

export interface Lifecycle {
  /** Starts the parts in order; when one fails, stops those started and throws its error. */
  start(): Promise<void>;
  readiness(): Readiness;
  /** Drains every part at once, then stops them in reverse order. Later calls wait for the same end. */
  stop(): Promise<void>;
}

export interface LifecycleOptions {
  readonly parts: readonly Part[];
  readonly drainTimeoutMs: number;
  readonly onStopFailure: (part: string, error: unknown) => void;
}

export function createLifecycle({ parts, drainTimeoutMs, onStopFailure }: LifecycleOptions): Lifecycle {
  /** Parts whose start was begun: they are stopped even when they never came up. */
  const begun: Part[] = [];
  const up = new Set<Part>();
  let stopping: Promise<void> | null = null;

  const attempt = async (part: Part, step: () => Promise<void> | undefined): Promise<void> => {
    try {
      await step();
    } catch (error) {
      onStopFailure(part.name, error);
    }
  };

  const stopAll = async (): Promise<void> => {
    const deadline = AbortSignal.timeout(drainTimeoutMs);
    await Promise.all(
      [...up].map((part) => attempt(part, () => beforeDeadline(part.drain?.(deadline), deadline))),
    );
    for (const part of [...begun].reverse()) await attempt(part, () => part.stop());
  };

  const stop = (): Promise<void> => {
    stopping ??= stopAll();
    return stopping;
  };

  return {
    async start() {
      for (const part of parts) {
        if (stopping) return;
        begun.push(part);
        try {
          await part.start();
          up.add(part);
        } catch (error) {
          // A part that is stopped while it starts may well fail.
          const wasStopped = stopping !== null;
          await stop();
          if (!wasStopped) throw error;
        }
      }
    },
    readiness() {
      if (stopping) {
        return { ready: false, parts: [{ name: 'service', ready: false, reason: 'stopping' }] };
      }
      const told = parts.map((part) => {
        const state = up.has(part) ? part.isReady() : 'starting';
        const warning = part.warning?.();
        return {
          name: part.name,
          ...(state === true ? { ready: true } : { ready: false, reason: state }),
          ...(warning === undefined ? {} : { warning }),
        };
      });
      return { ready: told.every((part) => part.ready), parts: told };
    },
    stop,
  };
}

/** Waits for work or for its deadline, whichever comes first, and leaves no timer behind. */
function beforeDeadline(work: Promise<void> | undefined, deadline: AbortSignal): Promise<void> | undefined {
  if (!work) return undefined;
  return new Promise((resolve, reject) => {
    const give = () => resolve();
    deadline.addEventListener('abort', give, { once: true });
    work.then(resolve, reject).finally(() => deadline.removeEventListener('abort', give));
  });
}
