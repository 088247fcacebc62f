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

interface Bucket {
  tokens: number;
  atMs: number;
}

/** Token buckets, one for each address and one for all (RFC 3290, appendix A). */
export function createHandshakePace({
  handshakesPerSecond,
  handshakeBurst,
  handshakesPerSecondOfAll,
}: HandshakeLimits) {
  const buckets = new LRUCache<string, Bucket>({ max: maxAddresses });
  const ofAll: Bucket = { tokens: handshakesPerSecondOfAll, atMs: performance.now() };
  /** Waiting by address; the address whose turn is next comes first. */
  const waiting = new Map<string, (() => void)[]>();
  let timer: NodeJS.Timeout | undefined;

  const fill = (bucket: Bucket, perSecond: number, max: number): Bucket => {
    const nowMs = performance.now();
    bucket.tokens = Math.min(max, bucket.tokens + ((nowMs - bucket.atMs) / 1000) * perSecond);
    bucket.atMs = nowMs;
    return bucket;
  };
  const bucketOf = (network: string): Bucket => {
    const bucket = buckets.get(network) ?? { tokens: handshakeBurst, atMs: performance.now() };
    buckets.set(network, bucket);
    return fill(bucket, handshakesPerSecond, handshakeBurst);
  };
  const takeOfAll = (): boolean => {
    const all = fill(ofAll, handshakesPerSecondOfAll, handshakesPerSecondOfAll);
    if (all.tokens < 1) return false;
    all.tokens--;
    return true;
  };

  const beginNext = (): void => {
    timer = undefined;
    for (const [network, queue] of [...waiting]) {
      const bucket = bucketOf(network);
      if (bucket.tokens < 1) continue;
      if (!takeOfAll()) break;
      bucket.tokens--;
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
      const bucket = bucketOf(networkOf(address));
      bucket.tokens--;
      return bucket.tokens >= -handshakeBurst;
    },
  };
}
