import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { createFairSemaphore } from '../../core/fair-semaphore.js';
import { ServiceError } from '../../core/service-error.js';
import { hasBody } from '../../intake/read-body.js';
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
   * Resolves at once for an image or a file, and otherwise when it is the turn of the account of a request, before its credential is looked up, since that takes a good part of what
   * such a request costs. The account is the one that used the same credential before; an unknown credential, and none, count for the
   * client's address.
   */
  take(request: FastifyRequest): Promise<void>;
  /** Remembers whose the credential of a request is. */
  remember(request: FastifyRequest): void;
}

/** Requests under way at once, of all accounts. One account has half of them at most. */
const permits = 64;
/** So that a request of another account has a third of the threads at least. */
const maxBesideOthers = 2;
const maxWaiting = 10_000;
/** A request that takes longer waits for something that has turns of its own, and holds up no further one of its account. */
const maxTurnMs = 50;
/** Larger bodies are images and files, which have the turns of what is done with them. JSON of `/api` has 64 KiB at most. */
const maxFieldsBytes = { json: 64 * 1024, other: 8 * 1024 };
/** Credentials whose account is remembered; the least recently used are dropped. */
const maxRemembered = 20_000;

export function createRequestTurns(): RequestTurns {
  const withPermit = createFairSemaphore({
    ...{ permits, maxBesideOthers, maxWaiting },
    refusal: 'too many requests are waiting; try again shortly',
  });
  const accounts = new LRUCache<string, number>({ max: maxRemembered });

  return {
    async take(request) {
      if (bringsFile(request)) return;
      const digest = digestOf(request);
      const accountId = (digest === null ? undefined : accounts.get(digest)) ?? siteOf(request);
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
      const digest = digestOf(request);
      if (digest !== null && request.caller) accounts.set(digest, request.caller.accountId);
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

/** By its method and size: a byte of body, or another type, must not let a request of fields pass. */
function bringsFile({ method, headers, raw }: FastifyRequest): boolean {
  if (method === 'GET' || method === 'HEAD' || method === 'DELETE' || !hasBody(raw)) return false;
  const isJson = /^\s*application\/json/i.test(headers['content-type'] ?? '');
  const maxBytes = isJson ? maxFieldsBytes.json : maxFieldsBytes.other;
  // Of a body in chunks the size is not known: files come so, and JSON seldom.
  return Number(headers['content-length'] ?? (isJson ? 0 : Number.POSITIVE_INFINITY)) > maxBytes;
}

/** SHA-256 over every header and query parameter that may hold a credential; null where there is none. */
function digestOf({ headers, raw: { url = '' } }: FastifyRequest): string | null {
  const query = new URLSearchParams(/\?.*/s.exec(url)?.[0]);
  const shown = [
    headers['x-api-key'],
    headers.authorization,
    headers.cookie,
    ...query.getAll('api_key'),
    ...query.getAll('apikey'),
  ];
  if (shown.every((value) => value === undefined || value === '')) return null;
  return createHash('sha256').update(JSON.stringify(shown)).digest('base64');
}
