import { type ListOptions, listed, type Page, type PageOptions, paged, walkPages } from '../account/pages.js';
import { toPathPart } from '../account/path-part.js';
import type { ListedSession, PageKey, Session, SignInState } from '../api-types.js';
import type { CallOptions } from '../options.js';
import { ask, type Send } from '../service/call.js';
import { checked } from '../service/checked.js';

export interface SignInOptions extends CallOptions {
  readonly email: string;
  readonly password: string;
  /** Of the authenticator, or a recovery code; required after the error `code_needed`. */
  readonly code?: string | undefined;
}

export interface SignUpOptions extends CallOptions {
  readonly email: string;
  readonly name: string;
  readonly password: string;
  /** What the new account is called. */
  readonly account: string;
}

/** Signing in and out. The session itself is in a cookie, which a browser keeps. */
export function createSession(send: Send) {
  const page = async (options: PageOptions = {}): Promise<Page<ListedSession>> => {
    const { limit, cursor } = options;
    return ask(send, { method: 'GET', path: '/api/sessions', query: { limit, cursor } }, options);
  };
  const calls = {
    /** Whether there are users, and whether sign-up is open. */
    state: async (options: CallOptions = {}): Promise<SignInState> =>
      ask(send, { method: 'GET', path: '/api/sign-in' }, options),

    signIn: async (options: SignInOptions): Promise<Session> => {
      const { email, password, code } = options;
      const json = { email, password, code };
      return ask(send, { method: 'POST', path: '/api/session', json, creates: true }, options);
    },

    /** Creates a trial account with its owner, where the service allows it. */
    signUp: async (options: SignUpOptions): Promise<Session> => {
      const { email, name, password, account } = options;
      const json = { email, name, password, account };
      return ask(send, { method: 'POST', path: '/api/sign-up', json, creates: true }, options);
    },

    /** Who is signed in; the error `not_signed_in` where nobody is. */
    read: async (options: CallOptions = {}): Promise<Session> =>
      ask(send, { method: 'GET', path: '/api/session' }, options),

    signOut: async (options: CallOptions = {}): Promise<void> =>
      ask(send, { method: 'DELETE', path: '/api/session' }, options),

    /** A key for the predict paths, for an hour at most. */
    createKey: async (options: CallOptions = {}): Promise<PageKey> =>
      ask(send, { method: 'POST', path: '/api/session/key', creates: true }, options),

    /** One page of `list`. */
    page,

    /** Where this person is signed in, the session used last first, for `for await`. */
    list: (options: ListOptions = {}) => walkPages((cursor) => page({ ...options, cursor })),

    /** Signs out elsewhere. */
    end: async (id: number, options: CallOptions = {}): Promise<void> =>
      ask(send, { method: 'DELETE', path: `/api/sessions/${toPathPart('id', id)}` }, options),

    /** Signs out everywhere, here too. */
    endAll: async (options: CallOptions = {}): Promise<void> =>
      ask(send, { method: 'DELETE', path: '/api/sessions' }, options),
  };
  return checked('session', calls, {
    signIn: [0, { email: 'needed', password: 'needed', code: 'optional' }],
    signUp: [0, { email: 'needed', name: 'needed', password: 'needed', account: 'needed' }],
    page: [0, paged],
    list: [0, listed, true],
  });
}
