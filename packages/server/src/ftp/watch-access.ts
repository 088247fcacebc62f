import { type Reply, reply } from './reply.js';
import type { FtpSession } from './session.js';

/** To who is logged in by what opens the drop no more. */
export const accessEnded: Reply = reply(
  421,
  'The API key was revoked, or the drop deleted: log in with the new key.',
);

/**
 * Looks every so often whether who is logged in may still be, and calls `end` when not: an upload can last for hours. Each
 * command asks as well. Answers how to end the looking.
 */
export function watchAccess(session: FtpSession, intervalMs: number, end: () => void): () => void {
  const { state, service, id } = session;
  let isLooking = false;
  const look = async (): Promise<void> => {
    const { logIn } = state;
    if (logIn.at !== 'in' || (await logIn.drop.isOpen()) || state.logIn !== logIn) return;
    end();
  };
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    look()
      .catch((error: unknown) => service.onEvent({ kind: 'failed', connection: id, error }))
      .finally(() => {
        isLooking = false;
      });
  }, intervalMs);
  return () => clearInterval(timer);
}
