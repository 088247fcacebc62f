import type { People } from '../accounts/people/people.js';
import type { Part } from '../lifecycle.js';

/** Where people sign in: holds a thread that looks at passwords. */
export function createPeoplePart(people: Pick<People, 'close' | 'stopWaiting'>): Part {
  return {
    name: 'people',
    start: async () => {},
    isReady: () => true,
    drain: async () => people.stopWaiting(),
    stop: () => people.close(),
  };
}
