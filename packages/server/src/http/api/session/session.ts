import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Session } from '../../../accounts/users/sessions/session.js';
import { exactly, Id, Time, toTime } from '../fields.js';
import { PageOf, pageRequest, paging, toPageAnswer } from '../paging.js';
import type { ApiDeps, ApiScope } from '../scope.js';
import { clearSessionCookie, readDeviceCookie, setDeviceCookie, setSessionCookie } from './cookie.js';
import { Session as SessionAnswer, toSession } from './session-answer.js';
import { authenticatedUserOf, signedInOf } from './signed-in.js';

export const ListedSession = Type.Object(
  {
    id: Id,
    created_at: Time,
    last_used_at: Type.String({ format: 'date-time', description: 'to within some minutes' }),
    address: Type.String(),
    user_agent: Type.String({ description: 'as the browser sends it, shortened' }),
    is_current: Type.Boolean({ description: 'whether it is the session of this request' }),
  },
  { title: 'ListedSession' },
);
const SessionList = PageOf(ListedSession, 'A page of sessions');
export const PageKey = Type.Object(
  {
    key: Type.String({ description: 'the key itself: shown here and never again' }),
    expires_at: Time,
  },
  { title: 'PageKey', description: 'A key for the predict paths' },
);
const Position = Type.Tuple([Type.Integer(), Id]);
const tags = ['session'];

/** The session of the user who is signed in, and their other ones. */
export function addSessionRoutes(app: ApiScope, deps: ApiDeps): void {
  const { sessions, pageKeys } = deps.users;

  app.get('/session', {
    config: { right: 'person' },
    schema: {
      tags,
      operationId: 'readSession',
      summary: 'Who is signed in, and the token that changes want',
      response: { 200: SessionAnswer },
    },
    async handler(request, reply) {
      const { session, token, isUnderOldName } = signedInOf(request);
      if (isUnderOldName) setSessionCookie(request, reply, token, deps);
      await rememberOldBrowser(request, reply, session, deps);
      return toSession(session, token, deps.users);
    },
  });

  app.delete('/session', {
    config: { right: 'person', audit: 'itself' },
    schema: {
      tags,
      operationId: 'signOut',
      summary: 'Signs out: the session and its keys are over at once',
      response: { 204: Type.Null({ description: 'It is over' }) },
    },
    async handler(request, reply) {
      const { user, accountId, sessionId, actor } = authenticatedUserOf(request);
      await sessions.end({ userId: user.id, accountId, actor }, sessionId);
      clearSessionCookie(request, reply, deps);
    },
  });

  app.post('/session/key', {
    config: { right: 'member', audit: null },
    schema: {
      tags,
      operationId: 'createSessionKey',
      summary:
        'A key for the predict paths, for an hour at most; it ends with the session and opens nothing else',
      description:
        'Its calls count in the account; the usage counts them under the key named `web account`, one for each user.',
      response: { 201: PageKey },
    },
    async handler(request) {
      const { key, expiresAt } = await pageKeys.make(signedInOf(request).session);
      return { key, expires_at: toTime(expiresAt) };
    },
  });

  app.get('/sessions', {
    config: { right: 'person' },
    schema: {
      tags,
      operationId: 'listSessions',
      summary: 'Where this person is signed in, the session used last first',
      querystring: exactly(paging),
      response: { 200: SessionList },
    },
    async handler(request) {
      const { user, sessionId } = authenticatedUserOf(request);
      const page = await sessions.list(user.id, pageRequest(Position, request.query));
      return toPageAnswer(page, ({ id, createdAt, lastUsedAt, address, userAgent }) => ({
        id,
        created_at: toTime(createdAt),
        last_used_at: toTime(lastUsedAt),
        address,
        user_agent: userAgent,
        is_current: id === sessionId,
      }));
    },
  });

  app.delete('/sessions/:id', {
    config: { right: 'person', audit: 'itself' },
    schema: {
      tags,
      operationId: 'endSession',
      summary: 'Signs out elsewhere: that session is over at once',
      params: Type.Object({ id: Id }),
      response: { 204: Type.Null({ description: 'It is over' }) },
    },
    async handler(request) {
      const { user, accountId, actor } = authenticatedUserOf(request);
      await sessions.end({ userId: user.id, accountId, actor }, request.params.id);
    },
  });

  app.delete('/sessions', {
    config: { right: 'person', audit: 'itself' },
    schema: {
      tags,
      operationId: 'endSessions',
      summary: 'Signs out everywhere, here too',
      response: { 204: Type.Null({ description: 'All are over' }) },
    },
    async handler(request, reply) {
      const { user, accountId, actor } = authenticatedUserOf(request);
      await sessions.endAll({ userId: user.id, accountId, actor });
      clearSessionCookie(request, reply, deps);
    },
  });
}

/**
 * A session from before browsers were known has none of their cookies: its browser gets one, or its user would wait at the next sign-in
 * while others guess. No other session does: a thief of one does not become a known device by it.
 */
async function rememberOldBrowser(
  request: FastifyRequest,
  reply: FastifyReply,
  { user, allowsPlainCookie }: Session,
  deps: ApiDeps,
): Promise<void> {
  if (!allowsPlainCookie) return;
  const { devices } = deps.users;
  const cookie = readDeviceCookie(request, deps);
  const owner = await devices.readOwner(user.id);
  if (owner === null || devices.recognize(cookie, owner) !== null) return;
  setDeviceCookie(request, reply, await devices.remember(user.id, cookie), deps);
}
