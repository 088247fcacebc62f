import type { Actor } from '../accounts/audit/audit-event.js';
import type { Logger } from '../core/logger.js';
import type { CompatListener, CompatListenerStore, NewCompatListener } from './compat-listeners.js';

/** How a listener is at this replica. */
export interface ListenerState {
  readonly state: 'listening' | 'failed';
  /** Why it does not listen; it is tried again all the time. */
  readonly reason: string | null;
}

export type ListedListener = CompatListener & ListenerState;

/** Listeners for clients without a key: those of the database, each opened here. */
export interface CompatListeners {
  list(): Promise<readonly ListedListener[]>;
  /** Opens it here at once, and at other replicas within seconds. Throws as the store; one that cannot be opened now is kept. */
  create(actor: Actor, wanted: NewCompatListener): Promise<ListedListener>;
  /** Its port is closed here when this resolves; requests under way are answered. Throws as the store. */
  remove(actor: Actor, id: number): Promise<void>;
}

export interface RunningListeners extends CompatListeners {
  start(): Promise<void>;
  /** Takes nothing new; resolves when what is under way was answered. */
  stop(): Promise<void>;
}

export interface OpenListener {
  /** Its port is free soon; resolves when what is under way was answered. */
  close(): Promise<void>;
}

interface ListenersDeps {
  readonly store: CompatListenerStore;
  /** Throws what binding throws. */
  readonly open: (listener: CompatListener) => Promise<OpenListener>;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Whether the settings name ports at all; without any the database is not asked. */
  readonly isUsed: boolean;
  readonly intervalMs?: number | undefined;
}

/** How soon another replica's change is here. */
const usualIntervalMs = 2000;
/** A deletion waits for so long until requests under way are answered. */
const closeMs = 1000;

export function createCompatListeners(deps: ListenersDeps): RunningListeners {
  const { store, open, logger, isUsed, intervalMs = usualIntervalMs } = deps;
  const opened = new Map<string, OpenListener>();
  const failed = new Map<string, string>();
  const closing = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let last: Promise<void> = Promise.resolve();
  let isSyncing = false;
  let isStopped = false;
  let isAway = false;

  const close = (key: string, listener: OpenListener) => {
    opened.delete(key);
    const closed: Promise<void> = listener
      .close()
      .catch((error: unknown) => logger.error({ err: error }, 'a listener did not close cleanly'))
      .finally(() => closing.delete(closed));
    closing.add(closed);
    return closed;
  };

  const tryToOpen = async (listener: CompatListener) => {
    const key = keyOf(listener);
    const { id, host, port, keyId, protocol } = listener;
    try {
      const refusal = store.refusalOf(port);
      if (refusal !== null) throw new Error(refusal);
      opened.set(key, await open(listener));
      failed.delete(key);
      logger.info(
        { listener: id, host, port, keyId, protocol },
        'a listener for clients without a key opened',
      );
    } catch (error) {
      const reason = explain(error, listener);
      if (failed.get(key) !== reason)
        logger.warn({ err: error, listener: id, host, port }, 'a listener could not be opened');
      failed.set(key, reason);
    }
  };

  const syncOnce = async () => {
    if (isStopped) return;
    const wanted = new Map((await store.list()).map((listener) => [keyOf(listener), listener]));
    for (const key of failed.keys()) if (!wanted.has(key)) failed.delete(key);
    const closes = [...opened].filter(([key]) => !wanted.has(key)).map((each) => close(...each));
    if (closes.length > 0) await Promise.race([Promise.all(closes), delay(closeMs)]);
    for (const [key, listener] of wanted) {
      if (isStopped) return;
      if (!opened.has(key)) await tryToOpen(listener);
    }
  };

  const syncOrLog = async () => {
    isSyncing = true;
    try {
      await syncOnce();
      isAway = false;
    } catch (error) {
      if (!isAway) logger.warn({ err: error }, 'the listeners could not be read; they stay as they are');
      isAway = true;
    } finally {
      isSyncing = false;
    }
  };
  /** One at a time, and after each call one that began after it. What fails is tried again in time. */
  const sync = (): Promise<void> => {
    last = last.then(syncOrLog);
    return last;
  };

  const toListed = (listener: CompatListener): ListedListener => {
    const key = keyOf(listener);
    if (listener.isKeyOver)
      return {
        ...listener,
        state: 'failed',
        reason: 'its key was revoked or has expired: everything is refused',
      };
    if (opened.has(key)) return { ...listener, state: 'listening', reason: null };
    const reason = failed.get(key) ?? store.refusalOf(listener.port) ?? 'it is about to be opened';
    return { ...listener, state: 'failed', reason };
  };

  return {
    list: async () => (await store.list()).map(toListed),

    async create(actor, wanted) {
      const listener = await store.create(actor, wanted);
      await sync();
      return toListed(listener);
    },

    async remove(actor, id) {
      await store.remove(actor, id);
      await sync();
    },

    async start() {
      if (!isUsed || isStopped) return;
      await sync();
      timer = setInterval(() => {
        if (!isSyncing) void sync();
      }, intervalMs).unref();
    },

    async stop() {
      isStopped = true;
      clearInterval(timer);
      await last;
      for (const each of [...opened]) void close(...each);
      await Promise.all(closing);
    },
  };
}

/** A key that changed its protocol has other routes: the listener is closed and opened again. */
function keyOf({ id, protocol }: Pick<CompatListener, 'id' | 'protocol'>): string {
  return `${id} ${protocol}`;
}

function explain(error: unknown, { host, port }: CompatListener): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} is in use by another program`;
    case 'EACCES':
      return `port ${port} may not be opened by the user of the service`;
    case 'EADDRNOTAVAIL':
      return `${host} is no address of this machine`;
    default:
      return error instanceof Error ? error.message : String(error);
  }
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
