import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { checkAuthorizedKeys } from '../drops/authorized-keys.js';
import type { CommandContext } from './context.js';
import { accountOption, dropArgument, toNumber } from './drop-options.js';
import { withDrops } from './with-domain.js';

/** Public keys, which open a drop by SFTP beside its own key. */
export function addAuthorizeDropCommand(drops: Command, context: CommandContext): void {
  drops
    .command('authorize')
    .description('replace the public keys that open a drop by SFTP; an empty file removes all')
    .argument(...dropArgument)
    .argument('<file>', 'one key a line, as in a .pub file or authorized_keys of OpenSSH')
    .option(...accountOption)
    .action(async (id: string, file: string, { account }: { readonly account: string }) => {
      const authorizedKeys = await readKeys(context, file);
      await withDrops(context, account, async ({ drops: all, accountId }) => {
        const { settings } = await all.change(accountId, toNumber(id), { settings: { authorizedKeys } });
        context.print(`${settings.authorizedKeys.length} public keys open the drop by SFTP.`);
      });
    });
}

/** Comments and blank lines are left out. Throws for a line that is no key. */
async function readKeys({ cwd }: CommandContext, file: string): Promise<string[]> {
  const path = resolve(cwd, file);
  const text = await readFile(path, 'utf8').catch(() => {
    throw new Error(`${path} cannot be read`);
  });
  if (text.includes('PRIVATE KEY')) throw new Error(`${path} has a private key: give the file with .pub`);
  const lines = text.split(/\r?\n/).filter((line) => !/^\s*(#.*)?$/.test(line));
  return checkAuthorizedKeys(lines);
}
