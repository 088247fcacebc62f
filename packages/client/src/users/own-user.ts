import type { RecoveryCodes, Session, TotpSecret } from '../api-types.js';
import type { CallOptions } from '../options.js';
import { ask, type Send } from '../service/call.js';
import { checked } from '../service/checked.js';

export interface ChangeUserOptions extends CallOptions {
  readonly name?: string | undefined;
  /** Another address wants the password. */
  readonly email?: string | undefined;
  readonly password?: string | undefined;
}

/** What users change of themselves. */
export function createOwnUser(send: Send) {
  const calls = {
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
    prepareTotp: async (options: CallOptions & { readonly password: string }): Promise<TotpSecret> => {
      const { password } = options;
      return ask(send, { method: 'POST', path: '/api/user/totp', json: { password } }, options);
    },

    /** Puts the secret in force by a code of it. */
    confirmTotp: async (code: string, options: CallOptions = {}): Promise<RecoveryCodes> =>
      ask(send, { method: 'PUT', path: '/api/user/totp', json: { code } }, options),

    /** Wants a code of the authenticator, or a recovery code, beside the password. */
    removeTotp: async (
      options: CallOptions & { readonly password: string; readonly code: string },
    ): Promise<void> => {
      const { password, code } = options;
      return ask(send, { method: 'POST', path: '/api/user/totp/remove', json: { password, code } }, options);
    },

    /** Other recovery codes in the place of those there are, by a code of the authenticator or one of them. */
    renewRecoveryCodes: async (code: string, options: CallOptions = {}): Promise<RecoveryCodes> =>
      ask(
        send,
        { method: 'POST', path: '/api/user/totp/recovery-codes', json: { code }, creates: true },
        options,
      ),

    /** The wrong codes of the session were seen. */
    dismissWrongCodes: async (options: CallOptions = {}): Promise<void> =>
      ask(send, { method: 'DELETE', path: '/api/user/wrong-codes' }, options),
  };
  return checked('ownUser', calls, {
    change: [0, { name: 'optional', email: 'optional', password: 'optional' }],
    changePassword: [0, { current: 'needed', password: 'needed' }],
    prepareTotp: [0, { password: 'needed' }],
    removeTotp: [0, { password: 'needed', code: 'needed' }],
  });
}
