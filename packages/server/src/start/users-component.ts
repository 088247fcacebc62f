import type { Component } from '../core/lifecycle.js';
import type { Users } from '../users/users.js';

/** Where people sign in: holds a thread that looks at passwords. */
export function createUsersComponent(users: Pick<Users, 'close' | 'stopWaiting'>): Component {
  return {
    name: 'users',
    start: async () => {},
    isReady: () => true,
    drain: async () => users.stopWaiting(),
    stop: () => users.close(),
  };
}
