import type { CallOptions } from '../options.js';
import { ask, type Send } from '../service/call.js';
import type { RecoveryCodes, Session, TotpSecret } from '../types/people.js';

export interface ChangeUserOptions extends CallOptions {
  readonly name?: string | undefined;
  /** Another address wants the password. */
  readonly email?: string | undefined;
  readonly password?: string | undefined;
}

/** What somebody who is signed in changes of themselves. */
export function createOwnUser(send: Send) {
  return {
    change: async (options: ChangeUserOptions): Promise<Session> => {
      const { name, email, password } = options;
      return ask(send, { method: 'PATCH', path: '/api/user', json: { name, email, password } }, options);
    },

    /** Ends all other sessions. */
    changePassword: async (
      options: CallOptions & { readonly current: string; readonly password: string },
    ): Promise<void> => {
      const { current, password } = options;
      return ask(send, { method: 'PUT', path: '/api/user/password', json: { current, password } }, options);
    },

    /** A secret for an authenticator; not in force before `confirmTotp`. */
    prepareTotp: async (options: CallOptions = {}): Promise<TotpSecret> =>
      ask(send, { method: 'POST', path: '/api/user/totp' }, options),

    /** Puts the secret in force by a code of it. */
    confirmTotp: async (code: string, options: CallOptions = {}): Promise<RecoveryCodes> =>
      ask(send, { method: 'PUT', path: '/api/user/totp', json: { code } }, options),

    removeTotp: async (options: CallOptions & { readonly password: string }): Promise<void> => {
      const { password } = options;
      return ask(send, { method: 'POST', path: '/api/user/totp/remove', json: { password } }, options);
    },
  };
}
