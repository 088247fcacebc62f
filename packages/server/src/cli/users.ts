import type { Command } from 'commander';
import type { AdministeredUser } from '../accounts/users/administration.js';
import { linkTo } from '../accounts/users/link-address.js';
import type { NamedKey } from '../accounts/users/member-access.js';
import type { AccessReceipt, MemberKey } from '../accounts/users/members.js';
import { localAddress } from '../core/local-address.js';
import { type CommandContext, settingsOf } from './context.js';
import { toPrintable } from './printable.js';
import { formatTable, formatTime } from './table.js';
import { operator, withUsers } from './with-domain.js';

interface LinkOptions {
  readonly email?: string;
  readonly first?: true;
}

interface RemoveOptions {
  readonly keepKeys?: true;
  readonly revokeDropKeys?: true;
  readonly revokeUnknownKeys?: true;
  readonly json?: true;
}

/** `users …`: who signs in to the web account, and ways back in. */
export function addUsersCommand(program: Command, context: CommandContext): void {
  const users = program.command('users').description('users of the web account');

  users
    .command('list')
    .description('list all users')
    .option('--json', 'answer a list of objects; times are milliseconds since 1970')
    .action(async ({ json }: { readonly json?: boolean }) => {
      const list = await listAll(context);
      context.print(json ? JSON.stringify(list) : formatUsers(list));
    });

  users
    .command('link')
    .description('print a sign-in link for a user, which works once')
    .option('--email <address>', 'a link to set a new password: valid for a day, replaces an earlier link')
    .option('--first', 'a link to create the administrator, while there is none')
    .action(async ({ email, first }: LinkOptions) => {
      if ((email === undefined) === (first === undefined)) {
        throw new Error('Give the user: --email ADDRESS, or --first');
      }
      const made = await withUsers(context, ({ makeLinks }) =>
        email === undefined ? makeLinks.first() : makeLinks.reset(operator, { email }),
      );
      if (!made) throw new Error('There already is an administrator; see: npm run -s lynceus -- users list');
      context.print(linkTo(addressOf(context), made.token));
    });

  users
    .command('drop-second-factor')
    .description('remove the second factor of a user who lost authenticator and recovery codes')
    .argument('<email>', 'as users list shows it')
    .action(async (email: string) => {
      const user = await findUser(context, email);
      const authenticated = { user, accountId: user.account.id, actor: operator };
      await withUsers(context, ({ secondFactor }) => secondFactor.drop(authenticated));
      context.print(`${toPrintable(user.email)} now signs in with the password alone`);
    });

  users
    .command('remove')
    .description('remove a user: they are signed out at once, and the keys that they created are revoked')
    .argument('<email>', 'as users list shows it')
    .option('--keep-keys', 'keep the keys that they created')
    .option('--revoke-drop-keys', 'also revoke keys of drops that they created: cameras that use them stop')
    .option('--revoke-unknown-keys', 'also revoke keys of the account without a known creator')
    .option('--json', 'answer an object with the keys, invitations and links')
    .action(async (email: string, { keepKeys, revokeDropKeys, revokeUnknownKeys, json }: RemoveOptions) => {
      const found = await findUser(context, email);
      const receipt = await withUsers(context, ({ members }) =>
        members.remove(found.account.id, operator, found.id, {
          keys: keepKeys ? 'keep' : 'revoke',
          dropKeys: revokeDropKeys ? 'revoke' : 'keep',
          unknownKeys: revokeUnknownKeys ? 'revoke' : 'keep',
        }),
      );
      if (json) {
        context.print(JSON.stringify(receipt));
        return;
      }
      context.print(`${toPrintable(found.email)} is removed`);
      for (const line of describeAccessReceipt(receipt)) context.print(line);
    });

  users
    .command('keys')
    .description('list the keys that a user created and that are not revoked, and those that no user created')
    .argument('<email>', 'as users list shows it')
    .option(
      '--json',
      'answer an object with theirs and unknown, lists of keys; times are milliseconds since 1970',
    )
    .action(async (email: string, { json }: { readonly json?: boolean }) => {
      const found = await findUser(context, email);
      const keys = await withUsers(context, ({ members }) => members.keys(found.account.id, found.id));
      if (json) {
        context.print(JSON.stringify(keys));
        return;
      }
      context.print(formatKeys(keys.created));
      if (keys.unknown.length === 0) return;
      context.print('\nOf unknown creators, or of removed users:');
      context.print(formatKeys(keys.unknown));
    });
}

async function findUser(context: CommandContext, email: string): Promise<AdministeredUser> {
  const found = (await listAll(context)).find((user) => user.email.toLowerCase() === email.toLowerCase());
  if (found) return found;
  throw new Error('There is no such user; see: npm run -s lynceus -- users list');
}

async function listAll(context: CommandContext): Promise<readonly AdministeredUser[]> {
  return withUsers(context, async ({ administration }) => {
    const users: AdministeredUser[] = [];
    for (let after: number | undefined; ; ) {
      const page = await administration.listUsers({}, { limit: 500, after });
      users.push(...page.items);
      if (page.next === null) return users.reverse();
      after = page.next;
    }
  });
}

/** Where a service of these settings is reached. */
function addressOf(context: CommandContext): string {
  const { settings } = settingsOf(context);
  const { publicAddress } = settings;
  return publicAddress === '' ? localAddress(settings) : publicAddress.replace(/\/+$/, '');
}

function formatKeys(keys: readonly MemberKey[]): string {
  const rows = keys.map((key) => [
    String(key.id),
    `${key.prefix}…`,
    toPrintable(key.name),
    key.scope === 'drop' ? `drop ${key.drop === null ? '' : toPrintable(key.drop.name)}`.trim() : 'account',
    key.creatorKeyId === null ? '' : `key ${key.creatorKeyId}`,
    formatTime(key.createdAt),
    formatTime(key.expiresAt),
  ]);
  return formatTable(['ID', 'KEY', 'NAME', 'OPENS', 'BY', 'CREATED', 'EXPIRES'], rows);
}

function formatUsers(list: readonly AdministeredUser[]): string {
  const rows = list.map((user) => [
    String(user.id),
    toPrintable(user.email),
    toPrintable(user.name),
    toPrintable(user.account.name),
    user.isAdministrator ? `${user.role}, administrator` : user.role,
    user.hasTotp ? 'yes' : 'no',
    formatTime(user.signedInAt),
  ]);
  return formatTable(['ID', 'EMAIL', 'NAME', 'ACCOUNT', 'ROLE', 'SECOND FACTOR', 'SIGNED IN'], rows);
}

/** What happened to the keys, invitations and links that a user created, one line each. */
function describeAccessReceipt(receipt: AccessReceipt): readonly string[] {
  const { keys, dropKeys, unknownKeys, invitationsWithdrawn, linksWithdrawn } = receipt;
  const lines: readonly (readonly [what: string, found: readonly NamedKey[]])[] = [
    ['Keys revoked', keys.revoked],
    ['Keys kept', keys.kept],
    ['Keys of drops revoked', dropKeys.revoked],
    ['Keys of drops kept (lynceus drops key, or keys revoke)', dropKeys.kept],
    ['Keys of unknown creators revoked', unknownKeys.revoked],
    ['Keys of unknown creators kept (lynceus keys revoke)', unknownKeys.kept],
  ];
  return [
    ...lines
      .filter(([, found]) => found.length > 0)
      .map(([what, found]) => `${what}: ${found.map(nameOf).join(', ')}`),
    ...(invitationsWithdrawn > 0 ? [`Invitations withdrawn: ${invitationsWithdrawn}`] : []),
    ...(linksWithdrawn > 0 ? [`Links withdrawn: ${linksWithdrawn}`] : []),
  ];
}

function nameOf({ id, prefix, name }: NamedKey): string {
  return `${id} "${toPrintable(name)}" (${prefix}…)`;
}
