import type { Compilable, RawBuilder } from 'kysely';
import type { Clock } from '../../../core/clock.js';
import { ServiceError } from '../../../core/service-error.js';
import type { Database } from '../../../storage/database.js';
import { type Page, type PageRequest, toPage } from '../../../storage/page.js';
import type { Audit } from '../../audit/audit.js';
import type { Actor } from '../../audit/audit-event.js';
import { createFindSession, type FindSession } from './find-session.js';
import type { SessionLife, Visitor } from './session.js';
import { hashToken, makeToken } from './token.js';

export interface ListedSession {
  readonly id: number;
  readonly createdAt: number;
  /** To within some minutes. */
  readonly lastUsedAt: number;
  readonly address: string;
  readonly userAgent: string;
}

export interface Sessions {
  readonly find: FindSession;
  /** For the unit that signs a user in: a session with a new token, which the caller alone learns. */
  start(
    userId: number | RawBuilder<number>,
    visitor: Pick<Visitor, 'address' | 'userAgent'>,
  ): { readonly token: string; readonly statement: Compilable };
  /** The one used last first. */
  list(userId: number, page: PageRequest<SessionPosition>): Promise<Page<ListedSession, SessionPosition>>;
  /** Throws `not_found` for one that is not this user's. */
  end(owner: SessionOwner, id: number): Promise<void>;
  endAll(owner: SessionOwner): Promise<void>;
  /** For a unit: all of a user but one, or all. */
  endingOthers(userId: number | RawBuilder<number>, keptId?: number): Compilable;
  /** For a unit: the one of this token, whoever's. */
  endingToken(token: string): Compilable;
}

interface SessionOwner {
  readonly userId: number;
  readonly accountId: number;
  readonly actor: Actor;
}

type SessionPosition = readonly [lastUsedAt: number, id: number];

/** Enough to know a browser by. */
const maxUserAgentLength = 200;

export function createSessions({
  database,
  clock,
  life,
  audit,
}: {
  readonly database: Database;
  readonly clock: Clock;
  readonly life: SessionLife;
  readonly audit: Audit;
}): Sessions {
  const { query } = database;
  const alive = (userId: number) =>
    query
      .selectFrom('web_session')
      .where('user_id', '=', userId)
      .where('last_used_at', '>', clock() - life.idleMs)
      .where('created_at', '>', clock() - life.maxMs);
  const endingOthers: Sessions['endingOthers'] = (userId, keptId) => {
    const all = query.deleteFrom('web_session').where('user_id', '=', userId);
    return keptId === undefined ? all : all.where('id', '<>', keptId);
  };
  return {
    find: createFindSession(database, { clock, life }),
    endingOthers,

    start(userId, { address, userAgent }) {
      const token = makeToken();
      const now = clock();
      const statement = query.insertInto('web_session').values({
        user_id: userId,
        hash: hashToken(token),
        created_at: now,
        last_used_at: now,
        address,
        user_agent: [...userAgent.replace(/\p{C}/gu, ' ')].slice(0, maxUserAgentLength).join(''),
      });
      return { token, statement };
    },

    async list(userId, { limit, after }) {
      let rows = alive(userId);
      if (after !== undefined) {
        const [lastUsedAt, id] = after;
        rows = rows.where((row) =>
          row.or([
            row('last_used_at', '<', lastUsedAt),
            row.and([row('last_used_at', '=', lastUsedAt), row('id', '<', id)]),
          ]),
        );
      }
      const found = await rows
        .select([
          'id',
          'created_at as createdAt',
          'last_used_at as lastUsedAt',
          'address',
          'user_agent as userAgent',
        ])
        .orderBy('last_used_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit + 1)
        .execute();
      return toPage(found, limit, ({ lastUsedAt, id }): SessionPosition => [lastUsedAt, id]);
    },

    async end({ userId, accountId, actor }, id) {
      const found = await alive(userId).select('id').where('id', '=', id).executeTakeFirst();
      if (!found) throw new ServiceError('not_found', 'none of your sessions has this id');
      await database.write([
        query.deleteFrom('web_session').where('id', '=', id).where('user_id', '=', userId),
        audit.entry(accountId, actor, { action: 'sessions.end', subject: { kind: 'session', id } }),
      ]);
    },

    async endAll({ userId, accountId, actor }) {
      await database.write([
        endingOthers(userId),
        audit.entry(accountId, actor, {
          action: 'sessions.end_all',
          subject: { kind: 'user', id: userId, name: actor.name },
        }),
      ]);
    },

    endingToken: (token) => query.deleteFrom('web_session').where('hash', '=', hashToken(token)),
  };
}
