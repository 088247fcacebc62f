import type { Database } from '../../storage/database.js';

const dayMs = 86_400_000;
/** How long a used or expired link stays, for nobody but whoever looks into the database. */
const linkKeptMs = 30 * dayMs;
/** Long after all that they count is forgiven. */
const codeCountersKeptMs = 180 * dayMs;

interface UserRetention {
  readonly sessionIdleDays: number;
  readonly sessionMaxDays: number;
  readonly auditDays: number;
}

/** Deletes sessions that are over, links that let nobody in, and entries of the audit log whose days are over. */
export async function sweepUsers(
  database: Database,
  nowMs: number,
  { sessionIdleDays, sessionMaxDays, auditDays }: UserRetention,
): Promise<void> {
  const { query } = database;
  await database.write([
    query.deleteFrom('web_session').where('last_used_at', '<=', nowMs - sessionIdleDays * dayMs),
    query.deleteFrom('web_session').where('created_at', '<=', nowMs - sessionMaxDays * dayMs),
    query.deleteFrom('web_code_counter').where('last_at', '<=', nowMs - codeCountersKeptMs),
    query.deleteFrom('web_page_key').where('expires_at', '<=', nowMs),
    query
      .deleteFrom('web_link')
      .where((link) =>
        link.or([link('used_at', '<=', nowMs - linkKeptMs), link('expires_at', '<=', nowMs - linkKeptMs)]),
      ),
  ]);
  const overAt = nowMs - auditDays * dayMs;
  for (;;) {
    // A part at a time, so that it holds no other writer up.
    const [swept] = await database.write([
      query
        .deleteFrom('audit_entry')
        .where('id', 'in', (from) =>
          from.selectFrom('audit_entry as old').select('old.id').where('old.at', '<=', overAt).limit(500),
        ),
    ]);
    if ((swept?.changes ?? 0) < 500) return;
  }
}
