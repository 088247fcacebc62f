import type { Command } from 'commander';
import type { AccountDeletions } from '../accounts/deletion/account-deletions.js';
import type { AccountDeletion } from '../accounts/deletion/deletion.js';
import type { CommandContext } from './context.js';
import { formatTable, formatTime } from './table.js';
import { findAccount, operator, withServices, withUsers } from './with-domain.js';

interface DeleteOptions {
  readonly yes?: string;
  readonly now?: true;
  readonly json?: true;
}

/** `accounts delete`, `undelete`, `deletions`. */
export function addDeletionCommands(accounts: Command, context: CommandContext): void {
  accounts
    .command('delete')
    .description('close an account at once, and delete it with all its data after the grace period')
    .argument('<name>', 'the account, as accounts list shows it')
    .requiredOption(
      '--yes <name>',
      "the account's name again, as a confirmation: its deletion cannot be undone",
    )
    .option('--now', 'without a grace period')
    .option('--json', 'answer the deletion as an object; times are milliseconds since 1970')
    .action(async (name: string, { yes, now, json }: DeleteOptions) => {
      const accountId = await withServices(context, (_services, { database }) =>
        findAccount(database, name.trim()),
      );
      const deletion = await withDeletions(context, (deletions) =>
        deletions.request(operator, { accountId, name: yes ?? '', delayMs: now ? 0 : undefined }),
      );
      context.print(json ? JSON.stringify(deletion) : describeDeletion(deletion));
    });

  accounts
    .command('undelete')
    .description('reopen a closed account, until its deletion begins')
    .argument('<name>', 'the account, as accounts list shows it')
    .action(async (name: string) => {
      const accountId = await withServices(context, (_services, { database }) =>
        findAccount(database, name.trim()),
      );
      await withDeletions(context, (deletions) => deletions.cancel(operator, accountId));
      context.print(`account ${accountId} is open again; its users must sign in again`);
    });

  accounts
    .command('deletions')
    .description('list deletions of accounts, with receipts of those that are done')
    .argument('[id]', 'number of an account; all deletions unless given')
    .option('--json', 'answer a list of objects; times are milliseconds since 1970')
    .action(async (id: string | undefined, { json }: DeleteOptions) => {
      if (id !== undefined && !/^\d{1,15}$/.test(id))
        throw new Error(`${id} is not the number of an account; accounts deletions shows them`);
      const list = await withDeletions(context, async (deletions) =>
        id === undefined ? listAll(deletions) : [await deletions.read(Number(id))],
      );
      if (json) context.print(JSON.stringify(list));
      else if (id !== undefined) for (const each of list) context.print(describeDeletion(each));
      else context.print(formatDeletions(list));
    });
}

function withDeletions<T>(context: CommandContext, work: (deletions: AccountDeletions) => Promise<T>) {
  return withUsers(context, ({ accountDeletions }) => work(accountDeletions));
}

async function listAll(deletions: AccountDeletions): Promise<readonly AccountDeletion[]> {
  const all: AccountDeletion[] = [];
  for (let after: number | undefined; ; ) {
    const page = await deletions.list({ limit: 500, after });
    all.push(...page.items);
    if (page.next === null) return all;
    after = page.next;
  }
}

function describeDeletion(deletion: AccountDeletion): string {
  const { accountId, state, askedAt, dueAt, begunAt, endedAt, waitsFor, askedBy } = deletion;
  const who = askedBy.id === null ? askedBy.kind : `${askedBy.kind} ${askedBy.id}`;
  const lines = [`account ${accountId}: asked by ${who} at ${formatTime(askedAt)}`];
  if (state === 'scheduled') {
    lines.push(
      `closed: keys, sessions and log-ins open nothing. The deletion begins at ${formatTime(dueAt)} where a service runs,`,
      'else with its next start; until then: accounts undelete NAME',
    );
  }
  if (begunAt !== null) lines.push(`begun at ${formatTime(begunAt)}`);
  if (state === 'running' && waitsFor !== null) lines.push(`waits for ${waitsFor}`);
  if (endedAt !== null) lines.push(`done at ${formatTime(endedAt)}; backups from before still have it`);
  const counts = [
    ...deletion.rows.map(({ kind, items, bytes }) => [
      'rows',
      kind,
      String(items),
      bytes > 0 ? String(bytes) : '',
    ]),
    ...deletion.files.map(({ folder, kind, items, bytes }) => [folder, kind, String(items), String(bytes)]),
  ];
  if (counts.length > 0) lines.push(formatTable(['WHERE', 'WHAT', 'NUMBER', 'BYTES'], counts));
  return lines.join('\n');
}

function formatDeletions(list: readonly AccountDeletion[]): string {
  const sum = (counts: readonly { readonly items: number }[]) =>
    String(counts.reduce((total, { items }) => total + items, 0));
  const rows = list.map((each) => [
    String(each.accountId),
    each.state,
    formatTime(each.askedAt),
    formatTime(each.dueAt),
    formatTime(each.begunAt),
    formatTime(each.endedAt),
    sum(each.rows),
    sum(each.files),
    each.waitsFor ?? '',
  ]);
  return formatTable(
    ['ACCOUNT', 'STATE', 'ASKED', 'DUE', 'BEGUN', 'DONE', 'ROWS', 'FILES', 'WAITS FOR'],
    rows,
  );
}

/** Opens the database for the time of one command, beside a running service or without one. */
