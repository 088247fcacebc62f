import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../../../accounts/accounts.js';
import type { AuditAction } from '../../../accounts/audit/audit-actions.js';
import type { Actor, AuditEvent } from '../../../accounts/audit/audit-event.js';
import { hideKeys } from '../../../core/hide-keys.js';
import { changes } from '../permit.js';
import type { ApiDeps, ApiScope } from '../scope.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Of a route that changes something: what the audit log calls it, and the kind of its subject. `itself`: the handler writes
     * the entry, in the unit of the change; null: it changes nothing that the log has.
     */
    audit?: readonly [action: AuditAction, subject: string] | 'itself' | null;
  }
  interface FastifyRequest {
    /** What is answered, where it is an object. */
    answered: object | undefined;
    /** Of the entry that says what it is about to change. */
    auditId: number | undefined;
    /** Set by what changes piece by piece: an error after the first piece leaves the entry, for not nothing was done. */
    hasChanged: boolean;
  }
}

/** Refuses to start with a route that changes something and does not say what the audit log has of it. */
export function requireAudit(scope: ApiScope): void {
  scope.addHook('onRoute', ({ method, url, config }) => {
    if ([method].flat().some(changes) && config?.audit === undefined)
      throw new Error(`${method} ${url} has no audit in its config`);
  });
}

/** Fields of requests whose values may be read by the owners of the account; of others the log has the name alone. */
const loggedFields: readonly string[] = [
  ...[
    'expires_at',
    'call_limit',
    'role',
    'task',
    'into',
    'number',
    'dataset_id',
    'person_id',
    'chain',
    'orphans',
  ],
];

/**
 * Writes into the audit log what is about to be changed, before it is, and how it ended before the answer leaves: nothing is changed
 * that the log does not have. An entry stays as begun where the service was killed in between, failed, or was left by its client.
 */
export function auditChanges(app: ApiScope, { users, logger }: ApiDeps): void {
  const { audit } = users;
  app.decorateRequest('answered', undefined);
  app.decorateRequest('auditId', undefined);
  app.decorateRequest('hasChanged', false);
  app.addHook('preHandler', async (request) => {
    const auditEvent = auditEventOf(request);
    if (auditEvent === null || !request.caller) return;
    request.auditId = await audit.begin(
      request.caller.accountId,
      actorOf(request, request.caller),
      auditEvent,
    );
  });
  app.addHook('preSerialization', async (request, _reply, payload) => {
    request.answered = typeof payload === 'object' && payload !== null ? payload : undefined;
    return payload;
  });
  app.addHook('onSend', async (request, reply, payload) => {
    const { auditId } = request;
    const auditEvent = auditEventOf(request, reply);
    if (auditId === undefined || auditEvent === null || isUncertain(request, reply)) return payload;
    try {
      await (reply.statusCode < 300 ? audit.settle(auditId, auditEvent) : audit.undo(auditId));
    } catch (error) {
      logger.error(
        { err: error, requestId: request.id, auditId },
        'how a change ended is not in the audit log: its entry stays as begun',
      );
    }
    return payload;
  });
}

/** A fault may have come after the change as well as before it, and a refusal after a part of it. */
function isUncertain({ hasChanged }: FastifyRequest, { statusCode, raw }: FastifyReply): boolean {
  return statusCode >= 500 || raw.destroyed || (statusCode >= 300 && hasChanged);
}

function actorOf({ signedIn, ip }: FastifyRequest, caller: Caller): Actor {
  const user = signedIn?.session.user;
  return user
    ? { kind: 'user', id: user.id, name: user.email, address: ip }
    : { kind: 'key', id: caller.keyId, name: null, address: ip };
}

/** What a request does, as far as is known: after the answer was made more than before. Null for what the log does not have. */
function auditEventOf(request: FastifyRequest, reply?: FastifyReply): AuditEvent | null {
  const { audit: audited } = request.routeOptions.config;
  if (!audited || audited === 'itself') return null;
  const [action, kind] = audited;
  const given = objectOf(request.body);
  const answer = objectOf(request.answered);
  const made = [answer['id'], answer['model_id'], objectOf(answer['image'])['id']].find(isId);
  const params = Object.values(objectOf(request.params)).join('/');
  const isNew = reply?.statusCode === 201;
  const name = [answer['name'], given['name']].find((each) => typeof each === 'string');
  const fields = Object.keys(given);
  const logged = Object.entries(given).filter(
    (pair): pair is [string, string | number | boolean | null] =>
      loggedFields.includes(pair[0]) && (pair[1] === null || typeof pair[1] !== 'object'),
  );
  return {
    action,
    subject: {
      kind,
      id:
        (isNew ? [params, made].filter((each) => each !== undefined && each !== '').join('/') : params) ||
        null,
      // Who mistakes a field for another may have put a key into it.
      name: typeof name === 'string' ? hideKeys(name, request.query, request.headers) : null,
    },
    ...(fields.length > 0 ? { details: { fields, ...Object.fromEntries(logged) } } : {}),
  };
}

function isId(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'string';
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}
