import { ServiceError } from '../../core/service-error.js';

/** Bodies that are received before it is known whose they are, since the key is in them. */
export type UnknownBodies = ReturnType<typeof createUnknownBodies>;

interface UnknownBodiesLimits {
  readonly maxAtOnce: number;
  readonly maxPerAddress: number;
  readonly timeoutMs: number;
}

const usualUnknownBodies: UnknownBodiesLimits = { maxAtOnce: 32, maxPerAddress: 8, timeoutMs: 15_000 };

export function createUnknownBodies(limits: UnknownBodiesLimits = usualUnknownBodies) {
  const { maxAtOnce, maxPerAddress, timeoutMs } = limits;
  const byAddress = new Map<string, number>();
  let atOnce = 0;
  return {
    /**
     * Receives one for at most so long. Throws `service_busy` when too many are being received, by one address or by all, and
     * `request_timeout`.
     */
    async receive<T>(
      address: string,
      signal: AbortSignal,
      work: (signal: AbortSignal) => Promise<T>,
    ): Promise<T> {
      const ofAddress = byAddress.get(address) ?? 0;
      if (atOnce >= maxAtOnce || ofAddress >= maxPerAddress) {
        throw new ServiceError(
          'service_busy',
          'too many requests are being received whose key comes with the image; try again, or send the key as the query parameter api_key',
        );
      }
      atOnce += 1;
      byAddress.set(address, ofAddress + 1);
      const late = new AbortController();
      const timer = setTimeout(() => {
        late.abort(
          new ServiceError('request_timeout', `a form without a known key may take ${timeoutMs} ms`),
        );
      }, timeoutMs).unref();
      try {
        return await work(AbortSignal.any([signal, late.signal]));
      } finally {
        clearTimeout(timer);
        atOnce -= 1;
        const left = (byAddress.get(address) ?? 1) - 1;
        if (left > 0) byAddress.set(address, left);
        else byAddress.delete(address);
      }
    },
  };
}
