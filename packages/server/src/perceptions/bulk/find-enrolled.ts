import type { Enrolled } from '../enrolment.js';
import type { People } from '../people.js';

/** Whom a folder's name means in the perception. */
export interface EnrolledByName {
  readonly to: Enrolled;
  /** Null while nobody is called so. */
  readonly personId: number | null;
}

export interface FindEnrolled {
  /** Null when several people have the name. */
  find(name: string): Promise<EnrolledByName | null>;
  /** To ask again: somebody was made, or is gone. */
  forget(name: string): void;
}

/** A person of this key id; else the one of this name; else one who is to be made. */
export function createFindEnrolled(
  people: Pick<People, 'findByKeyId' | 'withName'>,
  accountId: number,
  perceptionId: number,
): FindEnrolled {
  const known = new Map<string, EnrolledByName | null>();
  const ask = async (name: string): Promise<EnrolledByName | null> => {
    const keyed = await people.findByKeyId(accountId, perceptionId, name);
    if (keyed !== null) return { to: { keyId: name }, personId: keyed.id };
    const [person, second] = await people.withName(accountId, perceptionId, name);
    if (second !== undefined) return null;
    if (person !== undefined) return { to: { person }, personId: person.id };
    return { to: { newName: name }, personId: null };
  };
  return {
    async find(name) {
      const found = known.get(name);
      if (found !== undefined) return found;
      const asked = await ask(name);
      known.set(name, asked);
      return asked;
    },
    forget: (name) => void known.delete(name),
  };
}
