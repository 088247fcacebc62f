import type { Role } from '../../../storage/tables/users.js';
import type { Caller } from '../../caller.js';
import type { Plan } from '../../new-account.js';

/** A signed-in user, as the database has it now. Times are milliseconds since 1970. */
export interface Session {
  readonly id: number;
  readonly user: SessionUser;
  readonly account: { readonly id: number; readonly name: string; readonly plan: Plan };
  readonly createdAt: number;
  /** Unless it is used before; never after the end of its longest life. */
  readonly expiresAt: number;
  /** It began before cookies had the prefix `__Host-`, and goes on without. */
  readonly allowsPlainCookie: boolean;
  /** As whom calls of this session are made. */
  readonly caller: Caller;
}

export interface SessionUser {
  readonly id: number;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly isAdministrator: boolean;
  readonly hasTotp: boolean;
}

/** Where a session is used from. */
export interface Visitor {
  readonly address: string;
  /** One site's: of IPv6 the /64 network. */
  readonly site: string;
  /** As the browser tells it; it is kept shortened. */
  readonly userAgent: string;
  /** The cookie that a browser is known by. */
  readonly devices: string | undefined;
}

/** How long a session lasts without being used, and at the longest. */
export interface SessionLife {
  readonly idleMs: number;
  readonly maxMs: number;
}

export function expiryOf(
  { createdAt, lastUsedAt }: { readonly createdAt: number; readonly lastUsedAt: number },
  { idleMs, maxMs }: SessionLife,
): number {
  return Math.min(lastUsedAt + idleMs, createdAt + maxMs);
}
