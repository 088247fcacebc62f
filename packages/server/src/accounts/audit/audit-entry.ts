import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../storage/database.js';
import type { AuditState } from '../../storage/tables/users.js';
import type { Actor, AuditEvent } from './audit-event.js';

/** A name of a file or person may be of any length; enough of it to know it by. */
const maxTextLength = 300;
const maxDetailsLength = 2000;

/** The statement that writes an entry. */
export function auditEntry(
  { query }: Pick<Database, 'query'>,
  {
    accountId,
    at,
    actor,
    auditEvent,
    state = 'done',
    onlyIf,
  }: {
    readonly accountId: number | RawBuilder<number>;
    readonly at: number;
    readonly actor: Omit<Actor, 'id'> & { readonly id: number | null | RawBuilder<number> };
    readonly auditEvent: AuditEvent;
    readonly state?: AuditState;
    readonly onlyIf?: RawBuilder<boolean>;
  },
) {
  const { action, ...columns } = auditEventColumns(auditEvent);
  return query.insertInto('audit_entry').values({
    account_id: accountId,
    at,
    who_kind: actor.kind,
    who_id: actor.id,
    who_name: actor.name === null ? nameOfKey(actor.id) : cut(actor.name),
    ...columns,
    // No action, which the column refuses and so the unit.
    action: onlyIf ? sql<string>`case when ${onlyIf} then cast(${action} as text) end` : action,
    address: actor.address,
    state,
  });
}

/** What was done, as a row has it. */
export function auditEventColumns({ action, subject, details }: AuditEvent) {
  const written = details === undefined ? null : JSON.stringify(details);
  return {
    action,
    subject_kind: subject?.kind ?? null,
    subject_id: subject?.id == null ? null : cut(String(subject.id)),
    subject_name: subject?.name == null ? null : cut(subject.name),
    details: written !== null && written.length > maxDetailsLength ? null : written,
  };
}

/** It may be revoked meanwhile, but is deleted weeks later. */
function nameOfKey(id: number | null | RawBuilder<number>): RawBuilder<string> {
  return sql<string>`coalesce((select name from api_key where id = ${id}), '')`;
}

/** Without what a database cannot keep. */
function cut(text: string): string {
  return [...text.replace(/\0|\p{Surrogate}/gu, '')].slice(0, maxTextLength).join('');
}
