import { type Command, InvalidArgumentError } from 'commander';
import { firstAccount, readFirstKeyAway } from '../accounts/first-key.js';
import { type CommandContext, folderOf, withAccounts } from './context.js';
import { formatTable, formatTime } from './table.js';

interface CreateOptions {
  readonly account: string;
  readonly name: string;
  readonly expires?: number;
  readonly json?: boolean;
}

export function addKeysCommand(program: Command, context: CommandContext): void {
  const keys = program.command('keys').description('API keys: make, list, revoke');

  keys
    .command('create')
    .description('make a key, and its account when that is new')
    .requiredOption('--account <name>', 'account that the key belongs to')
    .option('--name <name>', 'what the key is for', 'key')
    .option('--expires <date>', 'last day (2027-01-31, UTC) or moment (2027-01-31T12:00Z)', parseExpiry)
    .option('--json', 'answer {"key": "…"}')
    .action(async ({ account, name, expires, json }: CreateOptions) => {
      const made = await withAccounts(context, (accounts) =>
        accounts.createKey({ account, name, expiresAt: expires ?? null }),
      );
      if (json) {
        context.print(JSON.stringify({ key: made.key }));
        return;
      }
      context.note(`A key for the account "${account}" (id ${made.keyId}). It is shown this once:`);
      context.print(made.key);
    });

  keys
    .command('list')
    .description('list every key, without the key itself')
    .option('--json', 'answer a list of objects; times are milliseconds since 1970')
    .action(async ({ json }: { readonly json?: boolean }) => {
      const list = await withAccounts(context, (accounts) => accounts.listKeys());
      if (json) {
        context.print(JSON.stringify(list));
        return;
      }
      const rows = list.map((key) => [
        String(key.id),
        `${key.prefix}…`,
        key.account,
        key.name,
        formatTime(key.createdAt),
        formatTime(key.expiresAt),
        formatTime(key.revokedAt),
      ]);
      context.print(formatTable(['ID', 'KEY', 'ACCOUNT', 'NAME', 'CREATED', 'EXPIRES', 'REVOKED'], rows));
    });

  keys
    .command('revoke')
    .description('refuse a key from its next request on')
    .argument('<key>', 'id or beginning of the key, as keys list shows them')
    .action(async (idOrPrefix: string) => {
      const key = await withAccounts(context, (accounts) => accounts.revokeKey(idOrPrefix));
      context.print(`Revoked: ${key.prefix}… (id ${key.id}, account "${key.account}", "${key.name}").`);
    });

  keys
    .command('first')
    .description(`show the first key of the account "${firstAccount}" and forget it`)
    .action(() => {
      const key = readFirstKeyAway(folderOf(context));
      if (!key)
        throw new Error(
          `No first key is kept here: it was read before, or never made. Make a key with: ` +
            `npm run -s lynceus -- keys create --account ${firstAccount}`,
        );
      context.print(key);
    });
}

export function addAccountsCommand(program: Command, context: CommandContext): void {
  program
    .command('accounts')
    .description('accounts and the calls they made')
    .command('list')
    .description('list every account')
    .option('--json', 'answer a list of objects; times are milliseconds since 1970')
    .action(async ({ json }: { readonly json?: boolean }) => {
      const list = await withAccounts(context, (accounts) => accounts.listAccounts());
      if (json) {
        context.print(JSON.stringify(list));
        return;
      }
      const rows = list.map((account) => [
        String(account.id),
        account.name,
        account.plan,
        String(account.callsUsed),
        account.callLimit === null ? 'no limit' : String(account.callLimit),
        String(account.keys),
        formatTime(account.createdAt),
      ]);
      context.print(formatTable(['ID', 'ACCOUNT', 'PLAN', 'CALLS', 'LIMIT', 'KEYS', 'CREATED'], rows));
    });
}

/** A day counts to its end. */
export function parseExpiry(text: string): number {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const isMoment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})$/.test(text);
  const time = isDay || isMoment ? Date.parse(text) : Number.NaN;
  // Date.parse takes the 31st of a shorter month for the first of the next.
  const isReal = !Number.isNaN(time) && (!isDay || new Date(time).toISOString().startsWith(text));
  if (!isReal)
    throw new InvalidArgumentError('Give a day such as 2027-01-31 or a moment such as 2027-01-31T12:00Z.');
  const expiresAt = isDay ? time + 86_400_000 : time;
  if (expiresAt <= Date.now()) throw new InvalidArgumentError('It lies in the past.');
  return expiresAt;
}
