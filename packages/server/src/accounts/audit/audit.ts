import type { Compilable, RawBuilder } from 'kysely';
import type { Clock } from '../../clock.js';
import type { Database } from '../../storage/database.js';
import type { Page, PageWanted } from '../../storage/page.js';
import { auditEntry, deedColumns } from './audit-entry.js';
import type { Actor, Deed } from './deed.js';
import { type AuditedEntry, type AuditWanted, listAudit } from './list-audit.js';

export type { Actor, AuditedEntry, Deed };

/** What was changed in an account, by whom: written once, never changed, deleted when its days are over. */
export interface Audit {
  /**
   * For the unit that makes the change. `onlyIf`, as SQL: where it does not hold when the unit comes to the entry, that fails as
   * `not-null`.
   */
  entry(
    accountId: number,
    actor: Actor,
    deed: Deed,
    options?: { readonly onlyIf?: RawBuilder<boolean> },
  ): Compilable;
  /** By itself, for what changes nothing: a sign-in that was refused. */
  write(accountId: number, actor: Actor, deed: Deed): Promise<void>;
  /** Before a change of which the unit is not at hand: what is about to be done. Answers the entry's id. */
  begin(accountId: number, actor: Actor, deed: Deed): Promise<number>;
  /** It was done, and more is known of it. */
  settle(id: number, deed: Deed): Promise<void>;
  /** It was refused, and changed nothing. */
  undo(id: number): Promise<void>;
  /** The newest first; a position is an entry's id. */
  list(accountId: number, wanted: AuditWanted, page: PageWanted<number>): Promise<Page<AuditedEntry, number>>;
}

export function createAudit({
  database,
  clock,
}: {
  readonly database: Database;
  readonly clock: Clock;
}): Audit {
  const entry: Audit['entry'] = (accountId, actor, deed, options = {}) =>
    auditEntry(database, { accountId, at: clock(), actor, deed, ...options });
  return {
    entry,
    async write(accountId, actor, deed) {
      await database.write([entry(accountId, actor, deed)]);
    },
    async begin(accountId, actor, deed) {
      const row = auditEntry(database, { accountId, at: clock(), actor, deed, state: 'begun' });
      const [written] = await database.write([row.returning('id')]);
      return Number(written?.rows[0]?.['id']);
    },
    async settle(id, deed) {
      const change = { ...deedColumns(deed), state: 'done' } as const;
      await database.write([database.query.updateTable('audit_entry').set(change).where('id', '=', id)]);
    },
    async undo(id) {
      await database.write([database.query.deleteFrom('audit_entry').where('id', '=', id)]);
    },
    list: (accountId, wanted, page) => listAudit(database, accountId, wanted, page),
  };
}
