import type { Actor } from '../audit/deed.js';
import type { SessionUser } from '../sessions/session.js';

/** Somebody who is signed in and asks for something. */
export interface PersonAtWork {
  readonly user: SessionUser;
  readonly accountId: number;
  readonly sessionId: number;
  /** The same person, as the audit log tells them. */
  readonly actor: Actor;
}
