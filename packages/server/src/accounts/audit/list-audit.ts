import type { Database } from '../../storage/database.js';
import { type Page, type PageRequest, toPage } from '../../storage/page.js';
import type { ActorKind, AuditState } from '../../storage/tables/users.js';

export interface AuditedEntry {
  readonly id: number;
  readonly at: number;
  readonly whoKind: ActorKind;
  readonly whoId: number | null;
  readonly whoName: string;
  readonly action: string;
  readonly subjectKind: string | null;
  readonly subjectId: string | null;
  readonly subjectName: string | null;
  /** JSON. */
  readonly details: string | null;
  readonly address: string | null;
  readonly state: AuditState;
}

export interface AuditQuery {
  readonly action?: string | undefined;
  readonly userId?: number | undefined;
  /** Milliseconds since 1970: the first that counts, and the first that counts no more. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

export async function listAudit(
  { query }: Pick<Database, 'query'>,
  accountId: number,
  { action, userId, from, to }: AuditQuery,
  { limit, after }: PageRequest<number>,
): Promise<Page<AuditedEntry, number>> {
  let rows = query.selectFrom('audit_entry').where('account_id', '=', accountId);
  if (action !== undefined) rows = rows.where('action', '=', action);
  if (userId !== undefined) rows = rows.where('who_kind', '=', 'user').where('who_id', '=', userId);
  if (from !== undefined) rows = rows.where('at', '>=', from);
  if (to !== undefined) rows = rows.where('at', '<', to);
  if (after !== undefined) rows = rows.where('id', '<', after);
  const found = await rows
    .select([
      'id',
      'at',
      'who_kind as whoKind',
      'who_id as whoId',
      'who_name as whoName',
      'action',
      'subject_kind as subjectKind',
      'subject_id as subjectId',
      'subject_name as subjectName',
      'details',
      'address',
      'state',
    ])
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  return toPage(found, limit, ({ id }) => id);
}
