import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { ServiceError } from '../../../core/service-error.js';
import { createRequestSignal } from '../../common/request-signal.js';
import { exactly } from '../fields.js';
import type { ApiDeps, ApiScope } from '../scope.js';
import { readDeviceCookie, readSessionCookie, setDeviceCookie, setSessionCookie } from './cookie.js';
import { Code, Email, Password, PersonName } from './fields.js';
import { Session, toSession } from './session-answer.js';
import { visitorOf } from './visitor.js';

export type WayInDeps = ApiDeps;

export const SignInState = Type.Object(
  {
    open_sign_up: Type.Boolean({ description: 'whether anybody may make an account' }),
    has_users: Type.Boolean({ description: 'false: the link that the service printed is the way in' }),
  },
  { title: 'SignInState', description: 'What a page must know before anybody is signed in' },
);
const tags = ['session'];
/** The user is not known yet. */
const security: never[] = [];

/** Ways in for who is not signed in yet. */
export function addSignInRoutes(app: ApiScope, deps: WayInDeps): void {
  const { users } = deps;

  app.get('/sign-in', {
    config: { right: 'open' },
    schema: {
      tags,
      security,
      operationId: 'readSignIn',
      summary: 'Whether there is anybody yet, and whether anybody may sign up',
      response: { 200: SignInState },
    },
    async handler() {
      const { openSignUp, hasUsers } = await users.state();
      return { open_sign_up: openSignUp, has_users: hasUsers };
    },
  });

  app.post('/session', {
    config: { right: 'open', audit: 'itself' },
    schema: {
      tags,
      security,
      operationId: 'signIn',
      summary: 'Signs in: the session is in the cookie of the answer',
      description:
        'Nothing in the answer, nor its time, says whether the address is known. Where the user has a second factor the ' +
        'first answer is `code_needed`; a recovery code serves as well, once. While a mail address is tried from everywhere, a browser ' +
        'that its person did not sign in from before may wait half a minute for its turn.',
      body: exactly({ email: Email, password: Password, code: Type.Optional(Code) }),
      response: { 201: Session },
    },
    async handler(request, reply) {
      const oldToken = readSessionCookie(request, deps)?.token;
      const signal = createRequestSignal(reply, deps);
      const { token } = await users.signIn(request.body, visitorOf(request, deps), { oldToken, signal });
      return welcome(request, reply, token, deps);
    },
  });

  app.post('/sign-up', {
    config: { right: 'open', audit: 'itself' },
    schema: {
      tags,
      security,
      operationId: 'signUp',
      summary: 'Makes a trial account with its owner, where the setting openSignUp allows it, and signs in',
      body: exactly({
        email: Email,
        name: PersonName,
        password: Password,
        account: Type.String({
          minLength: 1,
          maxLength: 100,
          description: 'what the account is called, 1 to 100 characters',
        }),
      }),
      response: { 201: Session },
    },
    async handler(request, reply) {
      const { token } = await users.signUp(request.body, visitorOf(request, deps));
      return welcome(request, reply, token, deps);
    },
  });
}

/** Gives the browser its session and answers who is signed in. */
export async function letIn(request: FastifyRequest, reply: FastifyReply, token: string, deps: WayInDeps) {
  const session = await deps.users.sessions.find(token, { address: request.ip });
  if (!session) throw new ServiceError('not_signed_in', 'the session was ended at once');
  setSessionCookie(request, reply, token, deps);
  return toSession(session, token, deps.users);
}

/** The same for a user who has shown all that signing in asks for: the browser is known for them from now on. */
export async function welcome(request: FastifyRequest, reply: FastifyReply, token: string, deps: WayInDeps) {
  const session = await letIn(request, reply, token, deps);
  const known = await deps.users.devices.remember(session.user.id, readDeviceCookie(request, deps));
  setDeviceCookie(request, reply, known, deps);
  return session;
}
