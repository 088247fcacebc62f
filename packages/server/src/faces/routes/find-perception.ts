import { ServiceError } from '../../core/service-error.js';
import type { Perception } from '../perception.js';
import type { Perceptions } from '../perceptions.js';

/** Throws `not_found`, of another account's as of one that there is not. */
export async function findPerception(
  { perceptions }: { readonly perceptions: Pick<Perceptions, 'find'> },
  accountId: number,
  id: number,
): Promise<Perception> {
  const perception = await perceptions.find(accountId, String(id));
  if (perception === null) throw noPerception(id);
  return perception;
}

/** For what names a perception itself: here it is a path with nothing at it, and no parameter. */
export function rethrowNoPerception(id: number): (error: unknown) => never {
  return (error) => {
    if (error instanceof ServiceError && error.code === 'invalid_model') throw noPerception(id);
    throw error;
  };
}

function noPerception(id: number): ServiceError {
  return new ServiceError('not_found', `${id} is not one of your perceptions`);
}
