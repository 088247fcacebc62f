import { resolve } from 'node:path';
import type { Command } from 'commander';
import { aliveSince } from '../service/replicas/replica-rows.js';
import { dataFolder } from '../storage/data-folder.js';
import { othersStoppedFlag, requireOthersStopped } from '../storage/identity/other-services.js';
import { openCommandStorage } from '../storage/open-storage.js';
import { lockForRestore } from '../storage/restore.js';
import type { InstallationKeyDeps } from '../storage/secrets/installation-key.js';
import { adoptInstallationKey, rotateInstallationKey } from '../storage/secrets/replace-key.js';
import { resealValues } from '../storage/secrets/reseal.js';
import { type CommandContext, settingsOf } from './context.js';

interface OthersOption {
  readonly othersStopped?: true;
}

const othersStopped = [
  othersStoppedFlag,
  'although the database saw another service run less than three hours ago',
] as const;

/** `secret-key …`: the key with which secrets in the database are sealed. No command shows it. */
export function addSecretKeyCommand(program: Command, context: CommandContext): void {
  const secretKey = program
    .command('secret-key')
    .description('the key that encrypts passwords and second factors in the database');

  secretKey
    .command('rotate')
    .description('create a new key and encrypt everything with it; services must be stopped')
    .option('--to <file>', 'a new file for the new key, instead of replacing the old one')
    .option(...othersStopped)
    .action(async ({ to, ...others }: OthersOption & { readonly to?: string }) => {
      const { resealed, lost, keyPath, oldKeyPath } = await withKey(context, others, (deps) =>
        rotateInstallationKey(deps, to === undefined ? null : resolve(context.cwd, to)),
      );
      context.print(`The new key is in ${keyPath}; ${resealed} values are encrypted with it.`);
      if (lost > 0)
        context.print(`${lost} values could not be decrypted with the old key and stay as they were.`);
      context.print(
        oldKeyPath === null
          ? 'Set LYNCEUS_SECRET_KEY or LYNCEUS_SECRET_KEY_FILE to it for every service on this database before it starts.'
          : `The old one is in ${oldKeyPath}: put it with the backups made until now, which it opens, and delete it here. Every service on this database needs the new one before it starts.`,
      );
    });

  secretKey
    .command('reseal')
    .description('encrypt with LYNCEUS_SECRET_KEY what accepted keys encrypted, beside running services')
    .action(async () => {
      const { settings } = settingsOf(context);
      const folder = dataFolder(settings.dataDir);
      const { database, close } = await openCommandStorage(folder, settings);
      try {
        const { resealed, lost } = await resealValues({
          database,
          folder,
          settings,
          aliveSince: aliveSince(database.clock(), settings),
        });
        context.print(`${resealed} values were encrypted with the key of LYNCEUS_SECRET_KEY.`);
        context.print(
          lost > 0
            ? `${lost} values could be decrypted with none of the keys and stay as they were.`
            : 'The key before is needed no longer, except for older backups of the database: remove it from LYNCEUS_ACCEPTED_SECRET_KEYS an hour from now, when the addresses of face images that it signed have ended.',
        );
      } finally {
        await close();
      }
    });

  secretKey
    .command('adopt')
    .description('use the key that is here, or a new one, and give up values that are encrypted with another')
    .option(...othersStopped)
    .action(async (others: OthersOption) => {
      const { lost } = await withKey(context, others, adoptInstallationKey);
      context.print(
        lost === 0
          ? 'This is the key of the database now; it opens everything that is sealed there.'
          : `This is the key of the database now. ${lost} values are sealed with another: give those destinations their passwords again; users with a second factor sign in by a recovery code, or after users drop-second-factor EMAIL.`,
      );
    });
}

/**
 * While no service runs on the database: it would go on sealing with the key that it started with. Nor a backup, which could
 * have the database of before and the key of after.
 */
async function withKey<T>(
  context: CommandContext,
  { othersStopped: areOthersStopped }: OthersOption,
  work: (deps: InstallationKeyDeps) => Promise<T>,
): Promise<T> {
  const { settings } = settingsOf(context);
  const folder = dataFolder(settings.dataDir);
  const { database, close } = await openCommandStorage(folder, settings);
  try {
    const lock = await lockForRestore(folder);
    try {
      // On SQLite the folder is the only one, and locked.
      if (settings.databaseUrl !== '' && !areOthersStopped) {
        await requireOthersStopped(database, folder, Date.now(), 'The key was not changed');
      }
      return await work({ database, folder, settings });
    } finally {
      lock.release();
    }
  } finally {
    await close();
  }
}
