import { randomUUID } from 'node:crypto';
import type { Compilable } from 'kysely';
import type { Reservation } from '../accounts/accounts.js';
import type { Clock } from '../clock.js';
import type { Database } from '../storage/database.js';

const dayMs = 86_400_000;

/** An opaque id, 32 hexadecimal digits. */
export function createFileId(): string {
  return randomUUID().replaceAll('-', '');
}

/** The statements that keep an analysis; none for an account that keeps no results. */
export function recordStatements(
  database: Pick<Database, 'query'>,
  reservation: Reservation,
  analysis: { readonly fileid: string; readonly nowMs: number; readonly record: unknown },
): readonly Compilable[] {
  const { caller, operation } = reservation;
  if (caller.resultDays === 0) return [];
  return [
    database.query.insertInto('analysis').values({
      fileid: analysis.fileid,
      account_id: caller.accountId,
      key_id: caller.keyId,
      operation,
      created_at: analysis.nowMs,
      expires_at: analysis.nowMs + caller.resultDays * dayMs,
      record: JSON.stringify(analysis.record),
    }),
  ];
}

/** Rows a sweep deletes at once, so that it holds no other writer up. */
const sweepRows = 500;

/** Deletes the analyses whose time is over; answers how many. */
export async function sweepExpiredAnalyses(database: Database, nowMs: number): Promise<number> {
  let swept = 0;
  for (;;) {
    const [deleted] = await database.write([
      database.query
        .deleteFrom('analysis')
        .where('fileid', 'in', (from) =>
          from.selectFrom('analysis').select('fileid').where('expires_at', '<=', nowMs).limit(sweepRows),
        ),
    ]);
    const changes = deleted?.changes ?? 0;
    swept += changes;
    if (changes < sweepRows) return swept;
  }
}

/** Sweeps now and then every `intervalMs`; answers how to stop. An error goes to `onError`, and the next sweep tries again. */
export function startAnalysisSweep(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly intervalMs: number;
  readonly onError: (error: unknown) => void;
}): () => Promise<void> {
  const { database, clock, intervalMs, onError } = options;
  let running: Promise<unknown> = Promise.resolve();
  let sweeping = false;
  const sweep = () => {
    if (sweeping) return;
    sweeping = true;
    running = sweepExpiredAnalyses(database, clock())
      .catch(onError)
      .finally(() => {
        sweeping = false;
      });
  };
  sweep();
  const timer = setInterval(sweep, intervalMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
