import { LRUCache } from 'lru-cache';
import { networkOf } from '../servers/client-network.js';

export interface HandshakeLimits {
  /** Key exchanges of one client address (IPv6: one /64) in a second; those beyond wait. */
  readonly handshakesPerSecond: number;
  /** So many begin at once where an address had none for long. */
  readonly handshakeBurst: number;
  /** Of all addresses together. */
  readonly handshakesPerSecondOfAll: number;
}

/** When key exchanges begin, each of which takes milliseconds of the serving thread. Addresses take turns. */
export type HandshakePace = ReturnType<typeof createHandshakePace>;

/** More than may be connected. Those left out have their burst again. */
const maxAddresses = 10_000;

/** Token buckets, one for each address and one for all (ITU-T I.371). */
export function createHandshakePace({
  handshakesPerSecond,
  handshakeBurst,
  handshakesPerSecondOfAll,
}: HandshakeLimits) {
  const intervalMs = 1000 / handshakesPerSecond;
  const intervalMsOfAll = 1000 / handshakesPerSecondOfAll;
  /** When the bucket of an address is full again. */
  const fullAt = new LRUCache<string, number>({ max: maxAddresses });
  let fullAtOfAll = 0;
  /** Waiting by address; the address whose turn is next comes first. */
  const waiting = new Map<string, (() => void)[]>();
  let timer: NodeJS.Timeout | undefined;

  const beginOne = (network: string): 'begun' | 'waits' | 'all wait' => {
    const nowMs = performance.now();
    const own = Math.max(nowMs, fullAt.get(network) ?? 0);
    if (own > nowMs + (handshakeBurst - 1) * intervalMs) return 'waits';
    const ofAll = Math.max(nowMs, fullAtOfAll);
    if (ofAll > nowMs + 1000 - intervalMsOfAll) return 'all wait';
    fullAt.set(network, own + intervalMs);
    fullAtOfAll = ofAll + intervalMsOfAll;
    return 'begun';
  };

  const beginNext = (): void => {
    timer = undefined;
    for (const [network, queue] of [...waiting]) {
      const begun = beginOne(network);
      if (begun === 'all wait') break;
      if (begun === 'waits') continue;
      queue.shift()?.();
      waiting.delete(network);
      if (queue.length > 0) waiting.set(network, queue);
    }
    if (waiting.size > 0) timer = setTimeout(beginNext, 1000 / handshakesPerSecondOfAll).unref();
  };

  return {
    /** Resolves when the handshake may begin, or the signal fires. */
    begin(address: string, gone: AbortSignal) {
      if (gone.aborted) return Promise.resolve();
      const network = networkOf(address);
      return new Promise<void>((resolve) => {
        const queue = waiting.get(network) ?? [];
        queue.push(resolve);
        waiting.set(network, queue);
        const leave = () => {
          const now = waiting.get(network);
          if (now?.includes(resolve)) now.splice(now.indexOf(resolve), 1);
          if (now?.length === 0) waiting.delete(network);
          resolve();
        };
        gone.addEventListener('abort', leave, { once: true });
        if (timer === undefined) beginNext();
      });
    },
    /** Counts a further key exchange of a connection; false where the address has had too many. */
    repeat(address: string): boolean {
      const network = networkOf(address);
      const nowMs = performance.now();
      const own = Math.max(nowMs, fullAt.get(network) ?? 0) + intervalMs;
      fullAt.set(network, own);
      return own <= nowMs + 2 * handshakeBurst * intervalMs;
    },
  };
}
