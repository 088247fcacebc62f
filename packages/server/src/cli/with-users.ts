import type { Actor } from '../audit/audit-event.js';
import { systemClock } from '../core/clock.js';
import { dataFolder } from '../storage/data-folder.js';
import { openCommandStorage } from '../storage/open-storage.js';
import { readInstallationKey } from '../storage/secrets/installation-key.js';
import { openUsers, type Users } from '../users/users.js';
import { type CommandContext, settingsOf } from './context.js';

/** Whoever has the command line, as the audit log tells them. */
export const operator: Actor = { kind: 'operator', id: null, name: 'operator', address: null };

/** Opens the people of the installation for the time of one command, beside a running service or without one. */
export async function withUsers<T>(context: CommandContext, work: (users: Users) => Promise<T>): Promise<T> {
  const { settings } = settingsOf(context);
  const folder = dataFolder(settings.dataDir);
  const storage = await openCommandStorage(folder, settings);
  try {
    const { database } = storage;
    const users = await openUsers({
      database,
      clock: systemClock,
      settings,
      installationKey: await readInstallationKey({ database, folder, settings }),
      // A service beside asks the database at each call that counts.
      onKeyRevoked: () => undefined,
      onAuditFailure: (error) => context.note(String(error)),
    });
    return await work(users).finally(() => users.close());
  } finally {
    await storage.close();
  }
}
