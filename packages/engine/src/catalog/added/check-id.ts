import { CatalogError } from '../catalog-error.js';
import type { ReadEntries } from '../read-entries.js';

/** A letter first: what is a number alone would read as the number of a model. */
const idPattern = /^[a-z][a-z0-9-]{0,63}$/;

/**
 * Throws for an id that an added model cannot have, or that is taken.
 * @param reservedIds Ids that are no catalogue ids and yet taken.
 */
export function checkNewId(
  id: string,
  { models, leftOut }: ReadEntries,
  reservedIds: readonly string[],
): void {
  if (!idPattern.test(id)) {
    throw new CatalogError(
      `${JSON.stringify(id.slice(0, 100))} cannot be an id: give up to 64 small letters, digits and hyphens, a letter first`,
    );
  }
  const bad = leftOut.map((each) => each.id);
  const taken = [...models.map(({ entry }) => entry.id), ...bad, ...reservedIds];
  if (!taken.includes(id)) return;
  const isRemovable =
    bad.includes(id) || models.some(({ entry }) => entry.id === id && entry.modelId !== undefined);
  const advice = isRemovable ? `, or remove that model first: models remove ${id}` : '';
  throw new CatalogError(`The id "${id}" is taken; choose another${advice}`, id);
}
