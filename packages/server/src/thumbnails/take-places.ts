import { ServiceError } from '../errors/service-error.js';

/** So much work goes on at once; the rest waits, first come first served. */
export type TakePlace = <T>(work: () => Promise<T>) => Promise<T>;

/** Throws `service_busy` when `maxWaiting` wait already. */
export function createPlaces({
  places,
  maxWaiting,
}: {
  readonly places: number;
  readonly maxWaiting: number;
}): TakePlace {
  const waiting: (() => void)[] = [];
  let free = places;
  return async (work) => {
    if (free > 0) free -= 1;
    else {
      if (waiting.length >= maxWaiting) {
        throw new ServiceError('service_busy', 'too many thumbnails are waiting; try again shortly');
      }
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
    try {
      return await work();
    } finally {
      // A place goes from hand to hand while somebody waits for it.
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
