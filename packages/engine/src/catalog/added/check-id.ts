import { CatalogError } from '../catalog-error.js';
import type { CatalogModel } from '../read-entries.js';

/** A letter first: what is a number alone would read as the number of a model. */
const idPattern = /^[a-z][a-z0-9-]{0,63}$/;

/**
 * Throws for an id that an added model cannot have, or that is taken.
 * @param reservedIds Ids that are no catalogue ids and yet taken.
 */
export function checkNewId(
  id: string,
  models: readonly CatalogModel[],
  reservedIds: readonly string[],
): void {
  if (!idPattern.test(id)) {
    throw new CatalogError(
      `${JSON.stringify(id.slice(0, 100))} cannot be an id: give up to 64 small letters, digits and hyphens, a letter first`,
    );
  }
  const taken = [...models.map(({ entry }) => entry.id), ...reservedIds];
  if (!taken.includes(id)) return;
  const isAdded = models.some(({ entry }) => entry.id === id && entry.modelId !== undefined);
  const advice = isAdded ? `, or remove that model first: models remove ${id}` : '';
  throw new CatalogError(`The id "${id}" is taken; choose another${advice}`, id);
}
