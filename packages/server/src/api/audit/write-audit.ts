import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deed } from '../../accounts/audit/deed.js';
import type { Logger } from '../../http/logger.js';
import type { ApiDeps, ApiScope } from '../scope.js';
import { auditedOperations } from './audited-operations.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** What is answered, where it is an object. */
    answered: object | undefined;
  }
}

/** Fields of requests whose values may be read by the owners of the account; of others the log tells the name alone. */
const toldFields: readonly string[] = [
  ...['expires_at', 'call_limit', 'role', 'task', 'into', 'number', 'dataset_id', 'person_id', 'chain'],
];

/**
 * Writes what changed into the audit log, before the answer leaves and after the change: a service that is killed between the
 * two leaves a change that the log does not tell. Where the entry cannot be written the change stands, and our log tells it.
 */
export function auditChanges(
  app: ApiScope,
  { people, logger }: Pick<ApiDeps, 'people'> & { readonly logger: Logger },
): void {
  app.decorateRequest('answered', undefined);
  app.addHook('preSerialization', async (request, _reply, payload) => {
    request.answered = typeof payload === 'object' && payload !== null ? payload : undefined;
    return payload;
  });
  app.addHook('onSend', async (request, reply, payload) => {
    const deed = deedOf(request, reply);
    const { caller, signedIn } = request;
    if (deed === null || !caller) return payload;
    const user = signedIn?.session.user;
    const actor = user
      ? ({ kind: 'user', id: user.id, name: user.email, address: request.ip } as const)
      : ({ kind: 'key', id: caller.keyId, name: null, address: request.ip } as const);
    try {
      await people.audit.write(caller.accountId, actor, deed);
    } catch (error) {
      logger.error(
        { err: error, requestId: request.id, action: deed.action, accountId: caller.accountId },
        'a change was made that the audit log does not tell',
      );
    }
    return payload;
  });
}

function deedOf(request: FastifyRequest, reply: FastifyReply): Deed | null {
  const id = operationOf(request);
  const audited = id === null || reply.statusCode >= 300 ? null : auditedOperations[id];
  if (!audited || audited === 'itself') return null;
  const [action, kind] = audited;
  const given = objectOf(request.body);
  const answer = objectOf(request.answered);
  const made = [answer['id'], answer['model_id'], objectOf(answer['image'])['id']].find(isId);
  const params = Object.values(objectOf(request.params)).join('/');
  const isNew = reply.statusCode === 201;
  const name = [answer['name'], given['name']].find((each) => typeof each === 'string');
  const fields = Object.keys(given);
  const told = Object.entries(given).filter(
    (pair): pair is [string, string | number | boolean | null] =>
      toldFields.includes(pair[0]) && (pair[1] === null || typeof pair[1] !== 'object'),
  );
  return {
    action,
    subject: {
      kind,
      id:
        (isNew ? [params, made].filter((each) => each !== undefined && each !== '').join('/') : params) ||
        null,
      name: typeof name === 'string' ? name : null,
    },
    ...(fields.length > 0 ? { details: { fields, ...Object.fromEntries(told) } } : {}),
  };
}

function operationOf({ routeOptions: { schema } }: FastifyRequest): string | null {
  const id: unknown = schema === undefined ? undefined : Reflect.get(schema, 'operationId');
  return typeof id === 'string' ? id : null;
}

function isId(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'string';
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}
