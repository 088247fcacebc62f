import type { Link, PasswordRating, Session } from '../api-types.js';
import type { CallOptions } from '../options.js';
import { ask, type Send } from '../service/call.js';
import { checked } from '../service/checked.js';

export interface UseLinkOptions extends CallOptions {
  /** Required by the first link alone. */
  readonly email?: string | undefined;
  /** Required of a new user. */
  readonly name?: string | undefined;
  readonly password: string;
  /** Of the authenticator, or a recovery code; required where the link `needs_code`. */
  readonly code?: string | undefined;
}

/** Links that sign a user in once; the token is what follows their #. */
export function createLinks(send: Send) {
  const calls = {
    /** What a link is for; it stays unused. */
    look: async (token: string, options: CallOptions = {}): Promise<Link> =>
      ask(send, { method: 'POST', path: '/api/links/look', json: { token } }, options),

    /** Uses a link: creates its user or sets their password, and signs in. */
    use: async (token: string, options: UseLinkOptions): Promise<Session> => {
      const { email, name, password, code } = options;
      const json = { token, email, name, password, code };
      return ask(send, { method: 'POST', path: '/api/links/use', json, creates: true }, options);
    },

    /** How hard a password is to guess; it is not stored. */
    checkPassword: async (
      password: string,
      options: CallOptions & { readonly email?: string | undefined } = {},
    ): Promise<PasswordRating> => {
      const json = { password, email: options.email };
      return ask(send, { method: 'POST', path: '/api/passwords/check', json }, options);
    },
  };
  return checked('links', calls, {
    use: [1, { email: 'optional', name: 'optional', password: 'needed', code: 'optional' }],
    checkPassword: [1, { email: 'optional' }],
  });
}
