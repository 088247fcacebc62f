import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { oneLine } from '../../core/one-line.js';
import { StreamEventKind, streamEventKinds } from '../event-kind.js';

const certificates = {
  certificate: Type.Union(
    [
      Type.String({
        maxLength: 40_000,
        pattern:
          '^\\s*-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\\s-]+(BEGIN CERTIFICATE|END CERTIFICATE)-----\\s*$',
      }),
      Type.Null(),
    ],
    {
      description:
        "certificates in PEM: of the authority that signed the server's, or the server's own; null for known authorities",
    },
  ),
  certificateUnchecked: Type.Boolean({
    description: "true to take any certificate of the server's; whoever is between reads what is sent",
  }),
};

const filters = {
  streams: Type.Array(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), {
    maxItems: 100,
    uniqueItems: true,
    description: 'numbers of streams; none for all',
  }),
  kinds: Type.Array(StreamEventKind, {
    maxItems: streamEventKinds.length,
    uniqueItems: true,
    description: `kinds of events, of ${streamEventKinds.join(', ')}; none for all`,
  }),
  labels: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
    maxItems: 100,
    uniqueItems: true,
    description: 'classes such as "person"; none for all',
  }),
};

/** A part of a topic: no wildcard, no empty level at its ends, and none of the broker's own topics. */
const TopicPrefix = (usual: string) =>
  Type.String({
    minLength: 1,
    maxLength: 100,
    pattern: '^[^$/+#\\u0000-\\u001f\\u007f]([^+#\\u0000-\\u001f\\u007f]*[^/+#\\u0000-\\u001f\\u007f])?$',
    description: `a beginning of topics without + and #, ${usual} unless given`,
  });

const strict = { additionalProperties: false };

/** A request for each event. */
export const WebhookSettings = Type.Object(
  {
    kind: Type.Literal('webhook'),
    url: Type.String({
      maxLength: 1000,
      pattern: '^https?://[^?#@\\s]+$',
      description: 'an http or https address without user name or query; a query is a secret of its own',
    }),
    ...certificates,
    ...filters,
  },
  strict,
);

/** A connection to a broker. */
export const MqttSettings = Type.Object(
  {
    kind: Type.Literal('mqtt'),
    url: Type.String({
      maxLength: 300,
      pattern: '^mqtts?://[^/?#@\\s]+/?$',
      description: 'an address such as mqtt://192.168.1.10 or mqtts://broker.example:8883, without user name',
    }),
    username: Type.Union([Type.String({ minLength: 1, maxLength: 200, pattern: oneLine }), Type.Null()], {
      description: 'a user name of 1 to 200 characters, or null',
    }),
    clientId: Type.Union([Type.String({ minLength: 1, maxLength: 100, pattern: oneLine }), Type.Null()], {
      description: 'the name of this client at the broker, which no other may have; null for one of its own',
    }),
    prefix: TopicPrefix('lynceus'),
    retain: Type.Boolean({
      description:
        'true (the default) for states, counts and snapshots that the broker keeps for who comes later',
    }),
    snapshots: Type.Boolean({ description: 'true to publish the image of each object' }),
    frigate: Type.Boolean({ description: 'true to publish as Frigate does as well' }),
    frigatePrefix: TopicPrefix('frigate'),
    homeAssistant: Type.Boolean({
      description: 'true to be found by Home Assistant (MQTT discovery)',
    }),
    discoveryPrefix: TopicPrefix('homeassistant'),
    ...certificates,
    ...filters,
  },
  strict,
);

/** Where events are sent, without secrets. */
export const OutputSettings = Type.Union([WebhookSettings, MqttSettings]);

const secret = (minLength: number, maxLength: number, description: string, pattern = oneLine) =>
  Type.Optional(Type.String({ minLength, maxLength, pattern, description }));
/** What a header can have for certain, and an address. */
const [ascii, asciiOfQuery] = ['^[ -~]*$', '^[!"$-~]*$'];

/** Stored encrypted and never shown. `secretsOf` lists those of each kind. */
export const OutputSecrets = Type.Object(
  {
    signingKey: secret(
      16,
      200,
      'the key of the signature, of 16 to 200 characters; one is made unless given',
    ),
    token: secret(1, 5000, 'a token of ASCII characters that is sent as Authorization: Bearer', ascii),
    query: secret(
      1,
      2000,
      'what comes after ? in the address, with %20 and the like for spaces and for what is not ASCII',
      asciiOfQuery,
    ),
    password: secret(1, 500, 'a password of 1 to 500 characters'),
  },
  strict,
);

export type WebhookSettings = Readonly<Static<typeof WebhookSettings>>;
export type MqttSettings = Readonly<Static<typeof MqttSettings>>;
export type OutputSettings = Readonly<Static<typeof OutputSettings>>;
export type OutputSecrets = Readonly<Static<typeof OutputSecrets>>;
export type OutputSecretName = keyof OutputSecrets;

export const secretsOf: Readonly<Record<OutputSettings['kind'], readonly OutputSecretName[]>> = {
  webhook: ['signingKey', 'token', 'query'],
  mqtt: ['password'],
};

const usualOfAll = { certificate: null, certificateUnchecked: false, streams: [], kinds: [], labels: [] };

const usual: {
  readonly webhook: Omit<WebhookSettings, 'url'>;
  readonly mqtt: Omit<MqttSettings, 'url'>;
} = {
  webhook: { kind: 'webhook', ...usualOfAll },
  mqtt: {
    kind: 'mqtt',
    username: null,
    clientId: null,
    prefix: 'lynceus',
    retain: true,
    snapshots: false,
    frigate: false,
    frigatePrefix: 'frigate',
    homeAssistant: false,
    discoveryPrefix: 'homeassistant',
    ...usualOfAll,
  },
};

/** Absent: as it is, or as usual for a new output. */
export type OutputSettingsChange =
  | (Pick<WebhookSettings, 'kind'> & Partial<WebhookSettings>)
  | (Pick<MqttSettings, 'kind'> & Partial<MqttSettings>);

/** Settings before a change, which says the kind. Incomplete where neither says the address. */
export function mergeOutputSettings(old: OutputSettings | null, change: OutputSettingsChange): unknown {
  return { ...usual[change.kind], ...old, ...change };
}

/** Settings as a row has them; what is newer than the row is as usual. */
export function readOutputSettings(kind: OutputSettings['kind'], text: string): OutputSettings {
  return Value.Parse(OutputSettings, { ...usual[kind], ...JSON.parse(text) });
}
