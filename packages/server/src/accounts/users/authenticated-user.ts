import type { Actor } from '../audit/audit-event.js';
import type { SessionUser } from './sessions/session.js';

/** A signed-in user who sends a request. */
export interface AuthenticatedUser {
  readonly user: SessionUser;
  readonly accountId: number;
  readonly sessionId: number;
  /** The same person, as the audit log tells them. */
  readonly actor: Actor;
}
