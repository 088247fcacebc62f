import type { Perception } from '../faces/perception.js';
import type { Perceptions } from '../faces/perceptions.js';

/** How a perception is made. */
export const perceptionAdvice =
  'run: npm run -s lynceus -- faces import DIR --new NAME, with a folder in DIR for each person';

/** Of an account, by number, UID or name. Throws where there is none, and where several have the name. */
export async function findPerception(
  perceptions: Pick<Perceptions, 'find' | 'list'>,
  accountId: number,
  reference: string,
): Promise<Perception> {
  const found = await perceptions.find(accountId, reference);
  if (found) return found;
  const all = await listAll(perceptions, accountId);
  const wanted = reference.trim().normalize();
  const [named, ...others] = all.filter(({ name }) => name === wanted);
  if (named && others.length === 0) return named;
  if (named) {
    throw new Error(
      `${others.length + 1} perceptions are called "${wanted}": give the number, of ${list([named, ...others])}`,
    );
  }
  if (all.length === 0) throw new Error(`There is no perception: ${perceptionAdvice}`);
  throw new Error(`There is no perception "${wanted}"; there are ${list(all)}`);
}

async function listAll(perceptions: Pick<Perceptions, 'list'>, accountId: number): Promise<Perception[]> {
  const all: Perception[] = [];
  let after: number | undefined;
  do {
    const { items, next } = await perceptions.list(accountId, { limit: pageSize, after });
    all.push(...items);
    after = next ?? undefined;
  } while (after !== undefined);
  return all;
}

const pageSize = 200;
/** As many as a message is read to the end with. */
const maxShown = 20;

function list(perceptions: readonly Pick<Perception, 'id' | 'name'>[]): string {
  const shown = perceptions.slice(0, maxShown).map(({ id, name }) => `${id} "${name}"`);
  const more = perceptions.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
