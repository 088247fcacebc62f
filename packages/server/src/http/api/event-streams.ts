import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../core/service-error.js';
import type { Settings } from '../../core/settings.js';
import { takeSlot } from '../../core/take-slot.js';
import { siteOf } from '../common/rate-limits.js';
import { callerOf } from './caller.js';

/** Streams of events that are open, of all routes together: each holds a connection for as long as its client listens. */
export type EventStreams = ReturnType<typeof createEventStreams>;

interface EventStream {
  /** Fires when no client listens any more, and when the service stops. */
  readonly signal: AbortSignal;
  /**
   * Whether the credential is still good, and there is something to follow; asked once for all streams of a credential that ask at
   * about the same time. Who is let in no longer and does not read either is disconnected after a while.
   */
  readonly isStillLetIn: () => Promise<boolean>;
}

type EventStreamLimits = Pick<
  Settings,
  'maxConnections' | 'maxEventStreams' | 'eventStreamsPerAccount' | 'eventStreamsPerAddress'
>;

/** Of all connections, and for one account of all streams: the rest is for others. */
const largestShare = 0.5;
/** Streams that ask within it about one credential share the answer, which is of after the last of them asked. */
const gatherMs = 50;
/** A client that reads nothing holds up whoever writes to it, who then asks nothing either. */
const askMs = 10_000;
/** For an answer to end by itself. */
const leaveMs = 3000;

export function createEventStreams(settings: EventStreamLimits) {
  const max = Math.ceil(Math.min(settings.maxEventStreams, settings.maxConnections * largestShare));
  const maxOfAccount = Math.ceil(Math.min(settings.eventStreamsPerAccount, max * largestShare));
  const ofAll = new Map<'all', number>();
  const byAccount = new Map<number, number>();
  const byAddress = new Map<string, number>();
  const checks = new Map<string, Promise<boolean>>();
  const stopping = new AbortController();

  const askTogether = (credential: string, isStillLetIn: () => Promise<boolean>): Promise<boolean> => {
    const asked = checks.get(credential);
    if (asked) return asked;
    const check = sleep(gatherMs).then(() => {
      checks.delete(credential);
      return isStillLetIn();
    });
    checks.set(credential, check);
    return check;
  };

  return {
    /**
     * Takes a slot for as long as the answer's connection is open. Throws `too_many_requests` when account or address have
     * as many as they may, and `service_busy` when all together have.
     * @param isThere whether there is still something to follow
     */
    open(
      request: FastifyRequest,
      reply: FastifyReply,
      isThere: () => Promise<boolean> = async () => true,
    ): EventStream {
      const { accountId, keyId } = callerOf(request);
      const leaveAccount = takeSlot(byAccount, accountId, maxOfAccount);
      if (!leaveAccount) throw tooMany(maxOfAccount, 'account');
      const leaveAddress = takeSlot(byAddress, siteOf(request), settings.eventStreamsPerAddress);
      const leaveAll = leaveAddress && takeSlot(ofAll, 'all', max);
      const leave = () => {
        leaveAccount();
        leaveAddress?.();
        leaveAll?.();
      };
      if (!leaveAll) {
        leave();
        if (!leaveAddress) throw tooMany(settings.eventStreamsPerAddress, 'address');
        throw new ServiceError('service_busy', 'too many streams of events are open; try again shortly');
      }
      const { signedIn, isStillLetIn, viewToken } = request;
      const ofKey = viewToken === undefined ? `key ${keyId}` : `view ${viewToken}`;
      const credential = signedIn ? `session ${signedIn.session.id}` : ofKey;
      const mayGoOn = async () => (await askTogether(credential, isStillLetIn)) && isThere();
      const gone = new AbortController();
      const watch = setInterval(async () => {
        // While the database is away, nobody is cut off.
        if (await mayGoOn().catch(() => true)) return;
        setTimeout(() => reply.raw.destroy(), leaveMs).unref();
      }, askMs).unref();
      const end = () => {
        clearInterval(watch);
        leave();
        gone.abort();
      };
      if (reply.raw.destroyed) end();
      else reply.raw.once('close', end);
      return { signal: AbortSignal.any([gone.signal, stopping.signal]), isStillLetIn: mayGoOn };
    },
    /** Ends all of them, and each one that is opened from now on. */
    stop: () => stopping.abort(),
  };
}

function tooMany(max: number, what: 'account' | 'address'): ServiceError {
  return new ServiceError(
    'too_many_requests',
    `${max} streams of events of this ${what} are open already: close one`,
  );
}
