import { type Static, Type } from 'typebox';
import type { AuditedEntry } from '../../../accounts/audit/audit.js';
import { auditActions } from '../../../accounts/audit/audit-actions.js';
import { exactly, fromTime, Id, Time, TimeInput, toTime } from '../fields.js';
import { PageOf, pageRequest, paging, toPageAnswer } from '../paging.js';
import type { ApiDeps, ApiScope } from '../scope.js';
import { authenticatedUserOf } from '../session/signed-in.js';

const AuditAction = Type.Unsafe<string>(
  Type.Enum([...auditActions], {
    title: 'AuditAction',
    description: 'what was done; a newer service may know others',
    examples: ['keys.create'],
  }),
);
const TextOrNull = Type.Union([Type.String(), Type.Null()]);
export const AuditEntry = Type.Object(
  {
    id: Id,
    at: Time,
    who: Type.Object({
      kind: Type.Enum(['user', 'key', 'operator'], { description: 'operator: on the command line' }),
      id: Type.Union([Id, Type.Null()]),
      name: Type.String({ description: 'the mail address, or the name of the key, as it was then' }),
    }),
    action: AuditAction,
    subject: Type.Union([
      Type.Object({ kind: Type.String(), id: TextOrNull, name: TextOrNull }),
      Type.Null(),
    ]),
    details: Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()]),
    address: TextOrNull,
    state: Type.Enum(['begun', 'done'], {
      description:
        'begun: it is under way, or the service stopped, failed or refused the rest in the midst of it, and whether it was done is not known',
    }),
  },
  { title: 'AuditEntry', description: 'What was changed, and who changed it' },
);
const AuditList = PageOf(AuditEntry, 'A page of the audit log');

/** Who changed what, for the owners of the account. */
export function addAuditRoutes(app: ApiScope, { users }: ApiDeps): void {
  app.get('/audit', {
    config: { right: 'owner' },
    schema: {
      tags: ['members'],
      operationId: 'listAudit',
      summary: 'What was changed in this account and by whom, the newest first; for owners',
      querystring: exactly({
        ...paging,
        action: Type.Optional(
          Type.String({ pattern: '^[a-z_.]{1,60}$', description: 'an action such as keys.create' }),
        ),
        user_id: Type.Optional(Id),
        from: Type.Optional(TimeInput('the first that counts')),
        to: Type.Optional(TimeInput('the first that counts no more')),
      }),
      response: { 200: AuditList },
    },
    async handler(request) {
      const { action, user_id: userId, from, to } = request.query;
      const page = await users.audit.list(
        authenticatedUserOf(request).accountId,
        {
          action,
          userId,
          from: from === undefined ? undefined : fromTime('from', from),
          to: to === undefined ? undefined : fromTime('to', to),
        },
        pageRequest(Id, request.query),
      );
      return toPageAnswer(page, toEntry);
    },
  });
}

function toEntry(entry: AuditedEntry): Static<typeof AuditEntry> {
  const { subjectKind: kind, details } = entry;
  return {
    id: entry.id,
    at: toTime(entry.at),
    who: { kind: entry.whoKind, id: entry.whoId, name: entry.whoName },
    action: entry.action,
    subject: kind === null ? null : { kind, id: entry.subjectId, name: entry.subjectName },
    details: details === null ? null : JSON.parse(details),
    address: entry.address,
    state: entry.state,
  };
}
