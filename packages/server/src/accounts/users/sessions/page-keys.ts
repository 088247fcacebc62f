import { sql } from 'kysely';
import type { Clock } from '../../../core/clock.js';
import { ServiceError } from '../../../core/service-error.js';
import type { Database } from '../../../storage/database.js';
import { StorageError } from '../../../storage/storage-error.js';
import { hashKey, makeKey } from '../../key.js';
import type { Session } from './session.js';

const lifeMs = 3_600_000;
/** Of one session at once: a page makes one and keeps it. */
const maxKeysOfSession = 20;

/** Keys for the pages of a session: they open the predict paths and nothing else, and end with the session. */
export type PageKeys = ReturnType<typeof createPageKeys>;

export function createPageKeys({ database, clock }: { readonly database: Database; readonly clock: Clock }) {
  const { query } = database;
  return {
    /** Shown in this answer and never again. */
    async make(
      session: Pick<Session, 'id' | 'expiresAt'>,
    ): Promise<{ readonly key: string; readonly expiresAt: number }> {
      const key = makeKey();
      const expiresAt = Math.min(clock() + lifeMs, session.expiresAt);
      const ofSession = query.selectFrom('web_page_key').where('session_id', '=', session.id);
      await database
        .write([
          query
            .deleteFrom('web_page_key')
            .where('session_id', '=', session.id)
            .where('expires_at', '<=', clock()),
          // The oldest make room.
          query
            .deleteFrom('web_page_key')
            .where('session_id', '=', session.id)
            .where('hash', 'not in', () =>
              ofSession
                .select('hash')
                .orderBy('expires_at', 'desc')
                .orderBy('hash')
                .limit(maxKeysOfSession - 1),
            ),
          query.insertInto('web_page_key').values({
            hash: hashKey(key),
            // NULL, which undoes the unit, where it has ended meanwhile.
            session_id: sql<number>`(select id from web_session where id = ${session.id})`,
            expires_at: expiresAt,
          }),
        ])
        .catch((error: unknown) => {
          const isOver = error instanceof StorageError && ['not-null', 'constraint'].includes(error.code);
          if (!isOver) throw error;
          throw new ServiceError('not_signed_in', 'the session has ended', { cause: error });
        });
      return { key, expiresAt };
    },
  };
}
