import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { createFairSemaphore } from '../../core/fair-semaphore.js';
import { ServiceError } from '../../core/service-error.js';
import { siteOf } from './rate-limits.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Ends the turn of a request; without effect where it has none. */
    endTurn: () => void;
  }
}

/**
 * Turns of accounts for requests that bring no image or file. They share the serving thread and the threads of the database, which
 * work in the order of arrival: without turns an account with a thousand requests under way would have a thousand answered
 * before one of another.
 */
export interface RequestTurns {
  /**
   * Resolves when it is the turn of the account of a request, before its credential is looked up, since that takes a good part of what
   * such a request costs. The account is the one that used the same credential before; an unknown credential counts for its client address.
   */
  take(request: FastifyRequest): Promise<void>;
  /** Remembers whose the credential of a request is. */
  remember(request: FastifyRequest): void;
}

/** An account that is alone has half of them. */
const permits = 64;
/** So that a request of another account has a third of the threads at least. */
const maxBesideOthers = 2;
const maxWaiting = 10_000;
/** A request that takes longer waits for something that has turns of its own, and holds up no further one of its account. */
const maxTurnMs = 50;
/** Of the least recently used is forgotten whose they are. */
const maxRemembered = 20_000;

export function createRequestTurns(): RequestTurns {
  const withPermit = createFairSemaphore({
    ...{ permits, maxBesideOthers, maxWaiting },
    refusal: 'too many requests are waiting; try again shortly',
  });
  const accounts = new LRUCache<string, number>({ max: maxRemembered });

  return {
    async take(request) {
      const accountId = accounts.get(digestOf(request)) ?? siteOf(request);
      await new Promise<void>((resolve, reject) => {
        const turn = () =>
          new Promise<void>((end) => {
            if (request.raw.socket.destroyed) {
              throw new ServiceError('bad_request', 'the client closed the connection');
            }
            const timer = setTimeout(end, maxTurnMs);
            request.endTurn = () => {
              clearTimeout(timer);
              end();
            };
            resolve();
          });
        withPermit({ accountId }, turn).catch(reject);
      });
    },

    remember(request) {
      if (request.caller) accounts.set(digestOf(request), request.caller.accountId);
    },
  };
}

/** Ends turns with the answers of an application. */
export function endTurns(app: FastifyInstance): void {
  app.decorateRequest('endTurn', () => undefined);
  app.addHook('onSend', (request, _reply, _payload, done) => {
    request.endTurn();
    done();
  });
}

/** Of all that may be a credential. */
function digestOf({ headers, raw: { url = '' } }: FastifyRequest): string {
  const inQuery = /[?&]api_?key=[^&]*/i.exec(url)?.[0];
  const shown = [headers['x-api-key'], headers.authorization, inQuery, headers.cookie];
  return createHash('sha256').update(JSON.stringify(shown)).digest('base64');
}
