import type { Core } from '../../service/core.js';
import { ledSweep, type Module } from '../../service/module.js';
import type { Accounts } from '../accounts.js';
import { sweepUsers } from './sweep-users.js';
import { openUsers, type Users } from './users.js';

export interface UsersModule extends Module {
  readonly users: Users;
}

/** Where users sign in: holds a thread that looks at passwords. */
export async function openUsersModule(
  core: Core,
  accounts: Pick<Accounts, 'forgetKey'>,
): Promise<UsersModule> {
  const { database, clock, settings, logger } = core;
  const users = await openUsers({
    database,
    clock,
    settings,
    installationKeys: await core.installationKeys(),
    onKeyRevoked: (keyId) => accounts.forgetKey(keyId),
    onAuditFailure: (error) => logger.error({ err: error }, 'a refused sign-in was not written down'),
  });
  return {
    users,
    sweeps: [ledSweep('users', (fenced) => sweepUsers(fenced, clock(), settings))],
    component: {
      name: 'users',
      start: async () => {},
      isReady: () => true,
      drain: async () => users.stopWaiting(),
      stop: () => users.close(),
    },
  };
}
