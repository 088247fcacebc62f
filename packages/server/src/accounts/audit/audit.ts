import type { Compilable, RawBuilder } from 'kysely';
import type { Clock } from '../../core/clock.js';
import type { Database } from '../../storage/database.js';
import type { Page, PageRequest } from '../../storage/page.js';
import { auditEntry, auditEventColumns } from './audit-entry.js';
import type { Actor, AuditEvent } from './audit-event.js';
import { type AuditedEntry, type AuditQuery, listAudit } from './list-audit.js';

export type { Actor, AuditEvent, AuditedEntry };

/** What was changed in an account, by whom: written once, never changed, deleted when its days are over. */
export interface Audit {
  /**
   * For the unit that makes the change. `onlyIf`, as SQL: where it does not hold when the unit comes to the entry, that fails as
   * `not-null`.
   */
  entry(
    accountId: number,
    actor: Actor,
    auditEvent: AuditEvent,
    options?: { readonly onlyIf?: RawBuilder<boolean> },
  ): Compilable;
  /** By itself, for what changes nothing: a sign-in that was refused. */
  write(accountId: number, actor: Actor, auditEvent: AuditEvent): Promise<void>;
  /** Before a change of which the unit is not at hand: what is about to be done. Answers the entry's id. */
  begin(accountId: number, actor: Actor, auditEvent: AuditEvent): Promise<number>;
  /** It was done, and more is known of it. */
  settle(id: number, auditEvent: AuditEvent): Promise<void>;
  /** It was refused, and changed nothing. */
  undo(id: number): Promise<void>;
  /** The newest first; a position is an entry's id. */
  list(accountId: number, wanted: AuditQuery, page: PageRequest<number>): Promise<Page<AuditedEntry, number>>;
}

export function createAudit({
  database,
  clock,
}: {
  readonly database: Database;
  readonly clock: Clock;
}): Audit {
  const entry: Audit['entry'] = (accountId, actor, auditEvent, options = {}) =>
    auditEntry(database, { accountId, at: clock(), actor, auditEvent, ...options });
  return {
    entry,
    async write(accountId, actor, auditEvent) {
      await database.write([entry(accountId, actor, auditEvent)]);
    },
    async begin(accountId, actor, auditEvent) {
      const row = auditEntry(database, { accountId, at: clock(), actor, auditEvent, state: 'begun' });
      const [written] = await database.write([row.returning('id')]);
      return Number(written?.rows[0]?.['id']);
    },
    async settle(id, auditEvent) {
      const change = { ...auditEventColumns(auditEvent), state: 'done' } as const;
      await database.write([database.query.updateTable('audit_entry').set(change).where('id', '=', id)]);
    },
    async undo(id) {
      await database.write([database.query.deleteFrom('audit_entry').where('id', '=', id)]);
    },
    list: (accountId, wanted, page) => listAudit(database, accountId, wanted, page),
  };
}
