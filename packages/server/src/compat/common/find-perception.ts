import type { Perception } from '../../faces/perception.js';
import type { Perceptions } from '../../faces/perceptions.js';
import type { CompatAccess } from '../compat-keys.js';

/** The perception of a key; null where it has none, or one that was deleted since. */
export async function findCompatPerception(
  perceptions: Pick<Perceptions, 'find'>,
  { caller, settings }: CompatAccess,
): Promise<Perception | null> {
  return settings.perception === null ? null : perceptions.find(caller.accountId, settings.perception);
}
