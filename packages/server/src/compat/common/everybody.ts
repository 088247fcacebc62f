import type { People } from '../../faces/people.js';
import type { Perception } from '../../faces/perception.js';
import type { Person } from '../../faces/person.js';
import type { CompatAccess } from '../compat-keys.js';

const pageSize = 500;

/** All people of a perception, the newest first, as long as the client waits. */
export async function* everybody(
  people: Pick<People, 'list'>,
  { accountId }: Pick<CompatAccess['caller'], 'accountId'>,
  { id }: Pick<Perception, 'id'>,
  signal: AbortSignal,
): AsyncGenerator<Person> {
  for (let after: number | undefined; ; ) {
    const page = await people.list(accountId, id, {}, { limit: pageSize, after });
    for (const person of page.items) {
      signal.throwIfAborted();
      yield person;
    }
    if (page.next === null) return;
    after = page.next;
  }
}
