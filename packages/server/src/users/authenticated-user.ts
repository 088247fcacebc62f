import type { Actor } from '../audit/audit-event.js';
import type { SessionUser } from './sessions/session.js';

/** Somebody who is signed in and asks for something. */
export interface AuthenticatedUser {
  readonly user: SessionUser;
  readonly accountId: number;
  readonly sessionId: number;
  /** The same person, as the audit log tells them. */
  readonly actor: Actor;
}
