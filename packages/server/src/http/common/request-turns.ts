import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { createFairSemaphore, createRecentOwners } from '../../core/fair-semaphore.js';
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
 * Turns of accounts for requests. They share the serving thread and the threads of the database, which work in the order of arrival: without
 * turns an account with a thousand requests under way would have a thousand answered before one of another. Requests that bring an image or a
 * file have turns of their own, so that they hold up no small ones of the same account.
 */
export type RequestTurns = ReturnType<typeof createRequestTurns>;

/** Requests under way at once, of all accounts. One account has half of them at most. */
const permits = 64;
/** So that a request of another account has a third of the threads at least. */
const maxBesideOthers = 2;
const maxWaiting = 10_000;
const refusal = 'too many requests are waiting; try again shortly';
/**
 * A request that takes longer waits for something that has turns of its own, or for a client that sends slowly, and holds up no further one of
 * its account.
 */
const maxTurnMs = 50;
/** In `maxTurnMs`: a body that comes so fast keeps the turn of its request, for so long at most. */
const fastBytes = 256 * 1024;
const maxFileTurnMs = 1000;
/** Larger bodies are images and files. JSON of `/api` has 64 KiB at most. */
const maxFieldsBytes = { json: 64 * 1024, other: 8 * 1024 };
/** Credentials whose account is remembered; the least recently used are dropped. */
const maxRemembered = 20_000;

/**
 * @param inferenceProcesses beside another account, an account has as many requests with a file under way, two at least: half of the
 * processes are its own then, so that none of them waits for the next one
 */
export function createRequestTurns(inferenceProcesses: number) {
  // An account that sends images is beside one that reads, and the other way round.
  const recent = createRecentOwners();
  const withPermit = createFairSemaphore({ permits, maxBesideOthers, maxWaiting, refusal, recent });
  const withFilePermit = createFairSemaphore({
    ...{ permits, maxWaiting, refusal, recent },
    maxBesideOthers: Math.max(maxBesideOthers, inferenceProcesses),
  });
  const accounts = new LRUCache<string, number>({ max: maxRemembered });

  return {
    /**
     * Resolves when it is the turn of the account of a request, before its credential is looked up, since that takes a good part of what a
     * small request costs. The account is the one that used the same credential before; an unknown credential, and none, count for the
     * client's address.
     *
     * @param signal of the request, so that a wait counts in its time. A request whose client left is waiting no longer; one whose time is
     * over is refused as `service_busy`.
     */
    async take(request: FastifyRequest, signal: AbortSignal) {
      // A connection that was closed before emits nothing that would end the wait.
      if (request.raw.socket.destroyed) throw clientLeft();
      const isFile = bringsFile(request);
      const digest = digestOf(request);
      const accountId = (digest === null ? undefined : accounts.get(digest)) ?? siteOf(request);
      await new Promise<void>((resolve, reject) => {
        const turn = () =>
          new Promise<void>((end) => {
            if (request.raw.socket.destroyed) {
              throw clientLeft();
            }
            const cancel = isFile ? whenQuiet(request.raw.socket, end) : after(maxTurnMs, end);
            request.endTurn = () => {
              cancel();
              end();
            };
            resolve();
          });
        (isFile ? withFilePermit : withPermit)({ accountId, signal }, turn).catch((error: unknown) =>
          reject(signal.aborted ? refusalBy(signal) : error),
        );
      });
    },

    /** Remembers whose the credential of a request is. */
    remember(request: FastifyRequest) {
      const digest = digestOf(request);
      if (digest !== null && request.caller) accounts.set(digest, request.caller.accountId);
    },
  };
}

function clientLeft(): ServiceError {
  return new ServiceError('bad_request', 'the client closed the connection');
}

/** A request that was never read did not take too long: the service had no turn for it. */
function refusalBy({ reason }: AbortSignal): unknown {
  const isTimeOver = reason instanceof ServiceError && reason.code === 'request_timeout';
  return isTimeOver ? new ServiceError('service_busy', refusal, { cause: reason }) : reason;
}

function after(ms: number, end: () => void): () => void {
  const timer = setTimeout(end, ms);
  return () => clearTimeout(timer);
}

/**
 * Once a file comes slowly or has come, so that what comes fast takes the serving thread from one request after the other: it reads what has
 * come of all bodies before it goes on with anything else.
 */
function whenQuiet(socket: Socket, end: () => void): () => void {
  const since = performance.now();
  let before = socket.bytesRead;
  const timer = setInterval(() => {
    const isFast = socket.bytesRead - before >= fastBytes;
    before = socket.bytesRead;
    if (isFast && performance.now() - since < maxFileTurnMs) return;
    clearInterval(timer);
    end();
  }, maxTurnMs);
  return () => clearInterval(timer);
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
