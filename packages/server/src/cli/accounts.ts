import { type Command, Option } from 'commander';
import type { Accounts } from '../accounts/accounts.js';
import type { ListedAccount } from '../accounts/list-accounts.js';
import type { Plan } from '../accounts/new-account.js';
import type { CommandContext } from './context.js';
import { addDeletionCommands } from './delete-account.js';
import { type Calls, callLimitOf, parseCalls, parseDays } from './options.js';
import { formatTable, formatTime } from './table.js';
import { withServices } from './with-domain.js';

interface AccountOptions {
  readonly plan?: Plan;
  readonly calls?: Calls;
  readonly days?: number;
}

interface AccountChangeOptions extends AccountOptions {
  /** Undefined: as it is. */
  readonly exactRateLimits?: boolean;
}

export function addAccountsCommand(program: Command, context: CommandContext): void {
  const accounts = program
    .command('accounts')
    .description('accounts: create, change, delete, list with their calls');

  accounts
    .command('list')
    .description('list every account')
    .option('--json', 'answer a list of objects; times are milliseconds since 1970')
    .action(async ({ json }: { readonly json?: boolean }) => {
      const list = await withServices(context, ({ accounts: each }) => each.listAccounts());
      context.print(json ? JSON.stringify(list) : formatAccounts(list));
    });

  addAccountOptions(
    accounts
      .command('create')
      .description('create an account; create its first key with: keys create')
      .argument('<name>', 'name of the account, 1 to 100 characters'),
  ).action(async (name: string, { plan, calls, days }: AccountOptions) => {
    const wanted = { name, plan, callLimit: callLimitOf(calls), resultDays: days };
    await changeAndShow(context, name, (each) => each.createAccount(wanted));
  });

  addAccountOptions(
    accounts
      .command('change')
      .description('change an account; takes effect in a running service within a second')
      .argument('<name>', 'the account, as accounts list shows it'),
  )
    .option(
      '--exact-rate-limits',
      'count its requests a minute in the database, for all replicas together; costs a commit a request',
    )
    .option('--no-exact-rate-limits', 'each replica allows an equal share of its requests a minute')
    .action(async (name: string, { plan, calls, days, exactRateLimits }: AccountChangeOptions) => {
      const change = {
        plan,
        callLimit: callLimitOf(calls),
        resultDays: days,
        hasExactRateLimits: exactRateLimits,
      };
      await changeAndShow(context, name, (each) => each.changeAccount(name, change));
    });

  addDeletionCommands(accounts, context);
}

function addAccountOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--plan <plan>', 'also sets its number of calls unless --calls is given').choices([
        'trial',
        'paid',
      ]),
    )
    .option(
      '--calls <number>',
      'total number of calls, including those already used; or unlimited',
      parseCalls,
    )
    .option('--days <number>', 'days for which new results are kept; 0: not at all', parseDays);
}

async function changeAndShow(
  context: CommandContext,
  name: string,
  work: (accounts: Accounts) => Promise<void>,
): Promise<void> {
  const list = await withServices(context, async ({ accounts }) => {
    await work(accounts);
    return accounts.listAccounts();
  });
  context.print(formatAccounts(list.filter((account) => account.name === name.trim())));
}

function formatAccounts(list: readonly ListedAccount[]): string {
  const rows = list.map((account) => [
    String(account.id),
    account.name,
    account.plan,
    String(account.callsUsed),
    account.callLimit === null ? 'no limit' : String(account.callLimit),
    String(account.keys),
    String(account.resultDays),
    formatTime(account.createdAt),
  ]);
  return formatTable(['ID', 'ACCOUNT', 'PLAN', 'CALLS', 'LIMIT', 'KEYS', 'DAYS', 'CREATED'], rows);
}
