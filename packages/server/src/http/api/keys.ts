import { type Static, Type } from 'typebox';
import { readCompatSettings } from '../../accounts/compat-settings.js';
import type { OwnKey } from '../../accounts/own-keys.js';
import { toAnswer } from './answer.js';
import { callerOf, creatorOf, managerOf } from './caller.js';
import { Compat, CompatInput, fromCompat, toCompat } from './compat.js';
import { exactly, fromTime, Id, Time, TimeInput, TimeOrNull } from './fields.js';
import { PageOf, pageRequest, paging, toLargePageAnswer } from './paging.js';
import { maySeeUsers } from './permit.js';
import type { ApiDeps, ApiScope } from './scope.js';

export const Key = Type.Object(
  {
    id: Id,
    prefix: Type.String({ description: 'how the key begins', examples: ['lyn_4fQ0'] }),
    name: Type.String({ examples: ['shop front'] }),
    created_at: Time,
    expires_at: TimeOrNull,
    revoked_at: TimeOrNull,
    call_limit: Type.Union([Type.Integer(), Type.Null()], {
      description: 'calls it may make in all, beside the limit of the account; null: no limit of its own',
    }),
    calls_used: Type.Integer(),
    scope: Type.Enum(['account', 'drop', 'compat'], {
      description:
        'what it opens: everything of the account; one drop by FTP; or what a client of another service asks for',
    }),
    compat: Type.Union([Compat, Type.Null()], { description: 'of a key of the scope compat' }),
    created_by: Type.Object(
      {
        kind: Type.Enum(['user', 'key', 'operator', 'unknown'], {
          description: 'operator: the command line; unknown: a user or key of an account that was deleted',
        }),
        user_id: Type.Union([Id, Type.Null()], {
          description: 'the user, also of what one of their keys created; null where there is none',
        }),
        key_id: Type.Union([Id, Type.Null()], { description: 'the key, of what a key created' }),
        name: Type.Union([Type.String(), Type.Null()], {
          description: "the user's name, for owners of the account; null for who has left",
        }),
      },
      { description: 'who created it' },
    ),
    is_current: Type.Boolean({ description: 'whether it is the key of this request' }),
  },
  { title: 'ApiKey', description: 'The key as it is now' },
);
export const NewKey = Type.Object(
  {
    ...Key.properties,
    key: Type.String({ description: 'the key itself: shown here and never again', examples: ['lyn_4fQ0…'] }),
  },
  { title: 'NewApiKey', description: 'The new key' },
);

const KeyList = PageOf(Key, 'A page of keys');

const Name = Type.String({ minLength: 1, maxLength: 100, description: 'a text of 1 to 100 characters' });
const Expiry = Type.Union([TimeInput('when the key ends'), Type.Null()], {
  description: 'a moment such as 2027-01-31T12:00:00Z, or null for never',
});
const CallLimit = Type.Union([Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), Type.Null()], {
  description: 'a whole number of calls, those used already among them, or null for no limit of its own',
});
const Force = Type.Optional(Type.Boolean({ description: 'true or false' }));
const KeyParams = Type.Object({ id: Id });
const tags = ['keys'];

/** The account's own keys. */
export function addKeyRoutes(app: ApiScope, { accounts, compatKeys }: ApiDeps): void {
  const { ownKeys } = accounts;

  app.get('/keys', {
    config: { right: 'read' },
    schema: {
      tags,
      operationId: 'listKeys',
      summary: 'Keys of this account, the newest first, expired and revoked ones too',
      querystring: exactly(paging),
      response: { 200: KeyList },
    },
    async handler(request, reply) {
      const { accountId, keyId } = callerOf(request);
      const page = await ownKeys.list(accountId, pageRequest(Id, request.query));
      return toLargePageAnswer(reply, page, (key) => toKey(key, keyId, maySeeUsers(request)));
    },
  });

  app.post('/keys', {
    config: { right: 'change', audit: ['keys.create', 'key'] },
    schema: {
      tags,
      operationId: 'createKey',
      summary: 'Makes a key for this account; the answer alone shows it',
      description:
        'With `compat` it is a key for clients of another service: it answers by the protocol of that service, and opens nothing else.',
      body: exactly({
        name: Name,
        expires_at: Type.Optional(Expiry),
        call_limit: Type.Optional(CallLimit),
        compat: Type.Optional(CompatInput),
      }),
      response: { 201: NewKey },
    },
    async handler(request) {
      const { accountId, keyId } = managerOf(request);
      const { name, expires_at = null, call_limit: callLimit = null, compat } = request.body;
      const expiresAt = readExpiry(expires_at);
      const creator = creatorOf(request);
      const wanted = { name, expiresAt, callLimit, creator };
      const made = await (compat
        ? compatKeys.create(accountId, { ...wanted, settings: fromCompat(compat) })
        : ownKeys.create(accountId, wanted));
      return { ...toKey(made, keyId, maySeeUsers(request)), key: made.key };
    },
  });

  app.patch('/keys/:id', {
    config: { right: 'change', audit: ['keys.change', 'key'] },
    schema: {
      tags,
      operationId: 'changeKey',
      summary: 'Renames a key, or changes when it ends or how many calls it may make',
      params: KeyParams,
      description:
        'The key of a drop stays as it is. `compat` replaces all settings of a key for clients of another service. The last good key of an account gets no end and no limit of calls unless `force` is true: without it nobody ' +
        'gets in any more.',
      querystring: exactly({ force: Force }),
      body: exactly({
        name: Type.Optional(Name),
        expires_at: Type.Optional(Expiry),
        call_limit: Type.Optional(CallLimit),
        compat: Type.Optional(CompatInput),
      }),
      response: { 200: Key },
    },
    async handler(request) {
      const { accountId, keyId } = managerOf(request);
      const { name, expires_at, call_limit: callLimit, compat } = request.body;
      const expiresAt = expires_at === undefined ? undefined : readExpiry(expires_at);
      const change = { name, expiresAt, callLimit };
      const { force = false } = request.query;
      if (compat) {
        await compatKeys.change(accountId, request.params.id, fromCompat(compat), creatorOf(request));
      }
      const key = await ownKeys.change(accountId, request.params.id, change, {
        force,
        by: creatorOf(request),
      });
      return toKey(key, keyId, maySeeUsers(request));
    },
  });

  app.delete('/keys/:id', {
    config: { right: 'change', audit: ['keys.revoke', 'key'] },
    schema: {
      tags,
      operationId: 'revokeKey',
      summary: 'Revokes a key: it is refused from the next request on',
      description:
        'The last good key of an account is kept unless `force` is true: without it nobody gets in any more, and ' +
        'only the operator of the service can make another.',
      params: KeyParams,
      querystring: exactly({ force: Force }),
      response: { 204: Type.Null({ description: 'It is revoked' }) },
    },
    async handler(request) {
      const { force = false } = request.query;
      await ownKeys.revoke(managerOf(request).accountId, request.params.id, {
        force,
        by: creatorOf(request),
      });
    },
  });
}

function readExpiry(text: string | null): number | null {
  return text === null ? null : fromTime('expires_at', text);
}

/** @param showsName of who created it */
export function toKey(key: OwnKey, currentId: number | null, showsName: boolean): Static<typeof Key> {
  return toAnswer(Key, key, {
    compat: key.compatSettings === null ? null : toCompat(readCompatSettings(key.compatSettings)),
    created_by: {
      kind: key.creatorKind ?? 'unknown',
      user_id: key.creatorUserId,
      key_id: key.creatorKeyId,
      name: showsName ? key.creatorName : null,
    },
    is_current: key.id === currentId,
  });
}
