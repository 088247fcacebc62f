/** What is missing, in words, in a component without which most answers are still right, or which is likely back in seconds. */
export interface Degraded {
  readonly degraded: string;
}

/** True: it is ready. Text: what is missing, so that no answer can be given. */
export type ComponentState = true | string | Degraded;

/** One component of the service, such as the database, the inference processes or a listener. */
export interface Component {
  readonly name: string;
  start(): Promise<void>;
  /** Asked at each look at `/readyz`. */
  isReady(): ComponentState;
  /** What an operator should look at, though it is ready. */
  notices?(): readonly string[];
  /** Takes nothing new and finishes what is in flight; the signal fires when the time for it is over. */
  drain?(signal: AbortSignal): Promise<void>;
  stop(): Promise<void>;
}

interface ComponentReadiness {
  readonly name: string;
  readonly ready: boolean;
  /** It is ready all the same; `reason` says what is missing. */
  readonly status?: 'degraded';
  readonly reason?: string;
  readonly notices?: readonly string[];
}

export interface Readiness {
  readonly ready: boolean;
  /** Ready, while a component is degraded. */
  readonly status?: 'degraded';
  readonly components: readonly ComponentReadiness[];
}

export interface Lifecycle {
  /** Starts the components in order; when one fails, stops all and throws its error. */
  start(): Promise<void>;
  readiness(): Readiness;
  /** From now on the service is not ready, so that balancers turn away; everything is served as before. */
  announceStop(): void;
  /**
   * Drains every started component at once, then stops all in reverse order, within `drainTimeoutMs` and `stopTimeoutMs`. Later calls
   * wait for the same end.
   */
  stop(): Promise<void>;
}

/** Time to stop all components once they have drained; shorter than what supervisors add to `drainTimeoutMs`. */
export const stopTimeoutMs = 8000;

interface LifecycleOptions {
  readonly components: readonly Component[];
  readonly drainTimeoutMs: number;
  /**
   * Time to stop all components after the drain, `stopTimeoutMs` unless given. A component that has not stopped in half of what is left
   * of it is passed over.
   */
  readonly stopWithinMs?: number;
  /** Also called with a component that is passed over. */
  readonly onStopFailure: (component: string, error: unknown) => void;
}

export function createLifecycle(options: LifecycleOptions): Lifecycle {
  const { components, drainTimeoutMs, stopWithinMs = stopTimeoutMs, onStopFailure } = options;
  const up = new Set<Component>();
  let isStopAnnounced = false;
  let stopping: Promise<void> | null = null;

  const attempt = async (component: Component, step: () => Promise<void>): Promise<void> => {
    try {
      await step();
    } catch (error) {
      onStopFailure(component.name, error);
    }
  };

  const drainAll = async (): Promise<void> => {
    const deadline = new AbortController();
    const drainOf = (component: Component) =>
      attempt(component, async () => component.drain?.(deadline.signal));
    await endsWithin(Promise.all([...up].map(drainOf)), drainTimeoutMs);
    deadline.abort();
  };

  const stopAll = async (): Promise<void> => {
    await drainAll();
    const untilMs = performance.now() + stopWithinMs;
    // Those that never started too: what they opened when they were made is closed.
    for (const component of [...components].reverse()) {
      const limitMs = Math.max(0, Math.round((untilMs - performance.now()) / 2));
      const stopped = attempt(component, () => component.stop());
      if (await endsWithin(stopped, limitMs)) continue;
      onStopFailure(component.name, new Error(`it has not stopped within ${limitMs} ms and is passed over`));
    }
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
      if (stopping || isStopAnnounced) {
        return { ready: false, components: [{ name: 'service', ready: false, reason: 'stopping' }] };
      }
      const states = components.map((component) =>
        describeState(component, up.has(component) ? component.isReady() : 'starting'),
      );
      const ready = states.every((component) => component.ready);
      const isDegraded = ready && states.some(({ status }) => status === 'degraded');
      return { ready, ...(isDegraded ? { status: 'degraded' } : {}), components: states };
    },
    announceStop() {
      isStopAnnounced = true;
    },
    stop,
  };
}

function describeState(component: Component, state: ComponentState): ComponentReadiness {
  const { name } = component;
  if (typeof state === 'string') return { name, ready: false, reason: state };
  const notices = component.notices?.() ?? [];
  return {
    name,
    ready: true,
    ...(state === true ? {} : { status: 'degraded', reason: state.degraded }),
    ...(notices.length > 0 ? { notices } : {}),
  };
}

/** Waits for work that never rejects, or for its time to be over; returns whether the work ended. Keeps the process alive until then. */
function endsWithin(work: Promise<unknown>, limitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), limitMs);
    work.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
