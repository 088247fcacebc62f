import type { Compilable } from 'kysely';
import type { Clock } from '../../clock.js';
import type { Database } from '../../storage/database.js';
import type { Page, PageWanted } from '../../storage/page.js';
import { auditEntry } from './audit-entry.js';
import type { Actor, Deed } from './deed.js';
import { type AuditedEntry, type AuditWanted, listAudit } from './list-audit.js';

export type { Actor, AuditedEntry, Deed };

/** What was changed in an account, by whom: written once, never changed, deleted when its days are over. */
export interface Audit {
  /** For the unit that makes the change. */
  entry(accountId: number, actor: Actor, deed: Deed): Compilable;
  /** By itself, for changes of which the unit is not at hand. */
  write(accountId: number, actor: Actor, deed: Deed): Promise<void>;
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
  const entry = (accountId: number, actor: Actor, deed: Deed) =>
    auditEntry(database, { accountId, at: clock(), actor, deed });
  return {
    entry,
    async write(accountId, actor, deed) {
      await database.write([entry(accountId, actor, deed)]);
    },
    list: (accountId, wanted, page) => listAudit(database, accountId, wanted, page),
  };
}
