/** One component of the service, such as the database, the inference processes or a listener. */
export interface Component {
  readonly name: string;
  start(): Promise<void>;
  /** True, or in words what is missing; asked at each look at `/readyz`. */
  isReady(): true | string;
  /** What an operator should look at, though it is ready. */
  notices?(): readonly string[];
  /** Takes nothing new and finishes what is in flight; the signal fires when the time for it is over. */
  drain?(signal: AbortSignal): Promise<void>;
  stop(): Promise<void>;
}

export interface ComponentReadiness {
  readonly name: string;
  readonly ready: boolean;
  readonly reason?: string;
  readonly notices?: readonly string[];
}

export interface Readiness {
  readonly ready: boolean;
  readonly components: readonly ComponentReadiness[];
}

export interface Lifecycle {
  /** Starts the components in order; when one fails, stops all and throws its error. */
  start(): Promise<void>;
  readiness(): Readiness;
  /** Drains every started component at once, then stops all in reverse order. Later calls wait for the same end. */
  stop(): Promise<void>;
}

export interface LifecycleOptions {
  readonly components: readonly Component[];
  readonly drainTimeoutMs: number;
  readonly onStopFailure: (component: string, error: unknown) => void;
}

export function createLifecycle({ components, drainTimeoutMs, onStopFailure }: LifecycleOptions): Lifecycle {
  const up = new Set<Component>();
  let stopping: Promise<void> | null = null;

  const attempt = async (component: Component, step: () => Promise<void> | undefined): Promise<void> => {
    try {
      await step();
    } catch (error) {
      onStopFailure(component.name, error);
    }
  };

  const stopAll = async (): Promise<void> => {
    const deadline = AbortSignal.timeout(drainTimeoutMs);
    await Promise.all(
      [...up].map((component) =>
        attempt(component, () => beforeDeadline(component.drain?.(deadline), deadline)),
      ),
    );
    // Those that never started too: what they opened when they were made is closed.
    for (const component of [...components].reverse()) await attempt(component, () => component.stop());
  };

  const stop = (): Promise<void> => {
    stopping ??= stopAll();
    return stopping;
  };

  return {
    async start() {
      for (const component of components) {
        if (stopping) return;
        try {
          await component.start();
          up.add(component);
        } catch (error) {
          // A component that is stopped while it starts may well fail.
          const wasStopped = stopping !== null;
          await stop();
          if (!wasStopped) throw error;
        }
      }
    },
    readiness() {
      if (stopping) {
        return { ready: false, components: [{ name: 'service', ready: false, reason: 'stopping' }] };
      }
      const states = components.map((component) => {
        const state = up.has(component) ? component.isReady() : 'starting';
        if (state !== true) return { name: component.name, ready: false, reason: state };
        const notices = component.notices?.() ?? [];
        return { name: component.name, ready: true, ...(notices.length > 0 ? { notices } : {}) };
      });
      return { ready: states.every((component) => component.ready), components: states };
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
