import { sql } from 'kysely';
import type { Clock } from '../../core/clock.js';
import { quote } from '../../core/quote.js';
import { ServiceError } from '../../core/service-error.js';
import type { Database } from '../../storage/database.js';
import { StorageError } from '../../storage/storage-error.js';
import type { AuditAction } from '../audit/audit-actions.js';
import { auditEntry } from '../audit/audit-entry.js';
import type { Actor } from '../audit/audit-event.js';
import type { AccountDeletion } from './deletion.js';
import { readDeletion } from './read-deletions.js';

interface DeletionRequest {
  readonly accountId: number;
  /** As the account is called: typed by whoever asks. */
  readonly name: string;
  /** Until the deletion begins; 0: at once, and nothing brings the account back. As the settings say unless given. */
  readonly delayMs?: number | undefined;
}

export interface DeletionRequests {
  /**
   * Closes an account at once, in one unit: its keys, sessions, links and log-ins open nothing, and nothing runs for it any more. The
   * deletion begins after the delay. Of an account that is closed already, an earlier time takes the place of a later one. Throws
   * `not_found`; `wrong_parameters` where the name is another; `conflict` where no administrator would be left.
   */
  request(actor: Actor, wanted: DeletionRequest): Promise<AccountDeletion>;
  /** Opens the account again. Throws `not_found` where none is closed, `conflict` where the deletion has begun. */
  cancel(actor: Actor, accountId: number): Promise<void>;
}

export interface DeletionRequestDeps {
  readonly database: Database;
  readonly clock: Clock;
  /** Until a deletion begins, unless asked otherwise. */
  readonly delayMs: number;
}

/** An administrator of another account, which is open. */
const othersAreLeft = (accountId: number) => sql<boolean>`(
  not exists (select 1 from web_user where account_id = ${accountId} and is_administrator = 1)
  or exists (
    select 1 from web_user inner join account on account.id = web_user.account_id
    where web_user.is_administrator = 1 and account.id <> ${accountId} and account.closed_at is null
  )
)`;

export function createDeletionRequests({
  database,
  clock,
  delayMs: usualDelayMs,
}: DeletionRequestDeps): DeletionRequests {
  const { query } = database;

  const request: DeletionRequests['request'] = async (actor, { accountId, name, delayMs = usualDelayMs }) => {
    const account = await query
      .selectFrom('account')
      .select(['name', 'closed_at as closedAt'])
      .where('id', '=', accountId)
      .executeTakeFirst();
    if (!account) throw noAccount();
    if (name.trim() !== account.name) {
      throw new ServiceError(
        'wrong_parameters',
        `${quote(name)} is another name than that of account ${accountId}: give the account's name to confirm its deletion`,
      );
    }
    const now = clock();
    await database
      .write(
        [
          query
            .insertInto('account_deletion')
            .columns(['account_id', 'asked_kind', 'asked_id', 'asked_at', 'due_at'])
            .expression((from) =>
              from
                .selectFrom('account')
                .where('account.id', '=', accountId)
                .select([
                  'account.id as account_id',
                  sql<'user' | 'operator'>`cast(${actor.kind === 'user' ? 'user' : 'operator'} as text)`.as(
                    'asked_kind',
                  ),
                  sql<number | null>`cast(${actor.kind === 'user' ? actor.id : null} as bigint)`.as(
                    'asked_id',
                  ),
                  // NULL, which undoes the unit, where no administrator would be left.
                  sql<number>`case when ${othersAreLeft(accountId)} then cast(${now} as bigint) end`.as(
                    'asked_at',
                  ),
                  sql<number>`cast(${now + delayMs} as bigint)`.as('due_at'),
                ]),
            )
            .onConflict((conflict) =>
              conflict.column('account_id').doUpdateSet({
                due_at: sql<number>`case when account_deletion.due_at < excluded.due_at
                  then account_deletion.due_at else excluded.due_at end`,
              }),
            ),
          query
            .updateTable('account')
            .set({ closed_at: now })
            .where('id', '=', accountId)
            .where('closed_at', 'is', null),
          query
            .deleteFrom('web_session')
            .where('user_id', 'in', (users) =>
              users.selectFrom('web_user').select('id').where('account_id', '=', accountId),
            ),
          ...audited(actor, accountId, 'accounts.delete', { delay_hours: delayMs / 3_600_000 }),
        ],
        // In turn, so that not two accounts are closed that each have the last administrator but those of the other.
        { isSerialized: true },
      )
      .catch((error: unknown) => {
        if (!(error instanceof StorageError && error.code === 'not-null')) throw error;
        throw new ServiceError(
          'conflict',
          'the account has the last administrator of the service: give another account one first',
          { cause: error },
        );
      });
    const deletion = await readDeletion(database, accountId);
    if (!deletion) throw noAccount();
    return deletion;
  };

  const cancel: DeletionRequests['cancel'] = async (actor, accountId) => {
    const deletion = await readDeletion(database, accountId);
    if (deletion === null) {
      throw new ServiceError('not_found', 'no deletion of this account was asked for');
    }
    if (deletion.state !== 'scheduled') throw hasBegun();
    await database
      .write([
        query
          .deleteFrom('account_deletion')
          .where('account_id', '=', accountId)
          .where('begun_at', 'is', null),
        query
          .updateTable('account')
          .set({
            closed_at: null,
            // NULL, which undoes the unit, where the deletion has begun.
            created_at: sql<number>`case when not exists (
              select 1 from account_deletion where account_id = ${accountId}
            ) then created_at end`,
          })
          .where('id', '=', accountId),
        ...audited(actor, accountId, 'accounts.undelete'),
      ])
      .catch((error: unknown) => {
        if (!(error instanceof StorageError && error.code === 'not-null')) throw error;
        throw hasBegun(error);
      });
  };

  /**
   * In the account of the user who asks, since the entries of the deleted one go with it, and with its id alone. Of who has the
   * command line the receipt says so.
   */
  const audited = (
    { kind, id, ...actor }: Actor,
    accountId: number,
    action: AuditAction,
    details?: Readonly<Record<string, number>>,
  ) => {
    if (kind !== 'user' || id === null) return [];
    const own = sql<number>`(select account_id from web_user where id = ${id})`;
    return [
      auditEntry(database, {
        accountId: own,
        at: clock(),
        actor: { kind, id, ...actor },
        auditEvent: { action, subject: { kind: 'account', id: accountId }, details },
      }),
    ];
  };

  return { request, cancel };
}

function hasBegun(cause?: unknown): ServiceError {
  return new ServiceError(
    'conflict',
    'the deletion of this account has begun: it cannot be cancelled',
    cause === undefined ? {} : { cause },
  );
}

function noAccount(): ServiceError {
  return new ServiceError('not_found', 'there is no account of this id');
}
