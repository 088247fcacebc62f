import { type Static, Type } from 'typebox';
import { compatProtocols } from '../accounts/compat-settings.js';
import { toAnswer } from '../http/api/answer.js';
import { exactly, Id, Time } from '../http/api/fields.js';
import type { ApiDeps, ApiScope } from '../http/api/scope.js';
import { authenticatedUserOf } from '../http/api/session/signed-in.js';
import type { CompatListeners, ListedListener } from './running-listeners.js';

export const CompatListener = Type.Object(
  {
    id: Id,
    port: Type.Integer(),
    host: Type.String({ description: 'the address it listens on', examples: ['127.0.0.1'] }),
    key_id: Id,
    key_name: Type.String(),
    account_id: Id,
    protocol: Type.Enum([...compatProtocols], { description: 'of its key' }),
    allowed_networks: Type.Array(Type.String(), { examples: [['192.168.1.0/24']] }),
    created_at: Time,
    state: Type.Enum(['listening', 'failed'], {
      description: 'at the replica that answers; one that failed is tried again every few seconds',
    }),
    reason: Type.Union([Type.String(), Type.Null()], { description: 'why it does not listen' }),
  },
  {
    title: 'CompatListener',
    description: 'A port for clients of another service that send no key: they have the access of its key',
  },
);
const CompatListenerList = Type.Object(
  { data: Type.Array(CompatListener) },
  { description: 'Listeners for clients that send no key' },
);
const tags = ['admin'];

export interface CompatListenerDeps extends ApiDeps {
  readonly compatListeners: CompatListeners;
}

/** Listeners for clients that know an address and a port alone, for administrators. */
export function addCompatListenerRoutes(app: ApiScope, { compatListeners }: CompatListenerDeps): void {
  app.get('/compat-listeners', {
    config: { right: 'administrator' },
    schema: {
      tags,
      operationId: 'listCompatListeners',
      summary: 'Ports for clients of other services that send no key; for administrators',
      response: { 200: CompatListenerList },
    },
    handler: async () => ({ data: (await compatListeners.list()).map(toListener) }),
  });

  app.post('/compat-listeners', {
    config: { right: 'administrator', audit: 'itself' },
    schema: {
      tags,
      operationId: 'createCompatListener',
      summary: 'Opens a port for clients that send no key; for administrators',
      description:
        'Whoever comes from `allowed_networks` has the access of the key, whatever key they send, by the protocol of that key. ' +
        'The port must be one of the setting `compatListenerPorts`. It opens at every replica with the role http within seconds, ' +
        'and again after a restart.',
      body: exactly({
        port: Type.Integer({ minimum: 1, maximum: 65_535, description: 'a port from 1 to 65535' }),
        key_id: Id,
        allowed_networks: Type.Array(
          Type.String({ minLength: 1, maxLength: 50, description: 'a network such as 192.168.1.0/24' }),
          { minItems: 1, maxItems: 50, description: 'a list of 1 to 50 networks such as 192.168.1.0/24' },
        ),
        host: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 50,
            description: 'an address of this machine; 127.0.0.1 unless given, 0.0.0.0 or :: for all of them',
          }),
        ),
      }),
      response: { 201: CompatListener },
    },
    async handler(request) {
      const { port, key_id: keyId, allowed_networks: networks, host = '127.0.0.1' } = request.body;
      const wanted = { port, keyId, networks, host };
      const made = await compatListeners.create(authenticatedUserOf(request).actor, wanted);
      return toListener(made);
    },
  });

  app.delete('/compat-listeners/:id', {
    config: { right: 'administrator', audit: 'itself' },
    schema: {
      tags,
      operationId: 'deleteCompatListener',
      summary: 'Closes such a port; for administrators',
      params: Type.Object({ id: Id }),
      response: {
        204: Type.Null({ description: 'It is closed here, and at other replicas within seconds' }),
      },
    },
    async handler(request) {
      await compatListeners.remove(authenticatedUserOf(request).actor, request.params.id);
    },
  });
}

function toListener(listener: ListedListener): Static<typeof CompatListener> {
  return toAnswer(CompatListener, listener, { allowed_networks: [...listener.networks] });
}
