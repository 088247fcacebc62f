import type { Command } from 'commander';
import { firstAccount, readFirstKeyAway } from '../accounts/first-key.js';
import { addCompatKeyCommand } from './compat-key.js';
import { addCompatListenerCommands } from './compat-listeners.js';
import { type CommandContext, folderOf } from './context.js';
import { type Calls, callLimitOf, parseCalls, parseExpiry } from './options.js';
import { toPrintable } from './printable.js';
import { formatTable, formatTime } from './table.js';
import { withServices } from './with-domain.js';

interface CreateOptions {
  readonly account: string;
  readonly name: string;
  readonly expires?: number;
  readonly calls?: Calls;
  readonly json?: boolean;
}

export function addKeysCommand(program: Command, context: CommandContext): void {
  const keys = program.command('keys').description('API keys: create, list, revoke');

  keys
    .command('create')
    .description('create a key, and its account if it does not exist')
    .requiredOption('--account <name>', 'account of the key')
    .option('--name <name>', 'what the key is for', 'key')
    .option(
      '--expires <date>',
      'last day (2027-01-31, UTC) or time (2027-01-31T12:00Z) of validity',
      parseExpiry,
    )
    .option(
      '--calls <number>',
      'total number of calls of the key, within those of its account; or unlimited',
      parseCalls,
    )
    .option('--json', 'answer {"key": "…"}')
    .action(async ({ account, name, expires, calls, json }: CreateOptions) => {
      const made = await withServices(context, ({ accounts }) =>
        accounts.createKey({ account, name, expiresAt: expires ?? null, callLimit: callLimitOf(calls) }),
      );
      if (json) {
        context.print(JSON.stringify({ key: made.key }));
        return;
      }
      context.note(`A key for the account "${account}" (id ${made.keyId}), shown only once:`);
      context.print(made.key);
    });

  addCompatKeyCommand(keys, context);
  addCompatListenerCommands(keys, context);

  keys
    .command('list')
    .description('list every key, without the key itself')
    .option('--json', 'answer a list of objects; times are milliseconds since 1970')
    .action(async ({ json }: { readonly json?: boolean }) => {
      const list = await withServices(context, ({ accounts }) => accounts.listKeys());
      if (json) {
        context.print(JSON.stringify(list));
        return;
      }
      const rows = list.map((key) => [
        String(key.id),
        `${key.prefix}…`,
        key.scope,
        key.account,
        key.name,
        String(key.callsUsed),
        key.callLimit === null ? 'no limit' : String(key.callLimit),
        formatTime(key.createdAt),
        formatTime(key.expiresAt),
        formatTime(key.revokedAt),
        key.creatorEmail === null ? (key.creatorKind ?? 'unknown') : toPrintable(key.creatorEmail),
      ]);
      context.print(
        formatTable(
          ['ID', 'KEY', 'OPENS', 'ACCOUNT', 'NAME', 'CALLS', 'LIMIT', 'CREATED', 'EXPIRES', 'REVOKED', 'BY'],
          rows,
        ),
      );
    });

  keys
    .command('revoke')
    .description('revoke a key, from its next request on')
    .argument('<key>', 'id or beginning of the key, as keys list shows them')
    .action(async (idOrPrefix: string) => {
      const key = await withServices(context, ({ accounts }) => accounts.revokeKey(idOrPrefix));
      context.print(`Revoked: ${key.prefix}… (id ${key.id}, account "${key.account}", "${key.name}").`);
    });

  keys
    .command('first')
    .description(`show the first key of the account "${firstAccount}" and delete its copy`)
    .action(() => {
      const key = readFirstKeyAway(folderOf(context));
      if (!key)
        throw new Error(
          `No first key is kept here: it was read before, or never created. Create a key with: ` +
            `npm run -s lynceus -- keys create --account ${firstAccount}`,
        );
      context.print(key);
    });
}
