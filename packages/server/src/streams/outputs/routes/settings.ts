import { type Static, Type } from 'typebox';
import { toCamel, toSnake, toSnakeName } from '../../../core/snake-names.js';
import { snakeFields } from '../../../http/api/snake-fields.js';
import type { StreamOutput } from '../output.js';
import {
  MqttSettings,
  OutputSecrets,
  type OutputSettingsChange,
  WebhookSettings,
} from '../output-settings.js';

const strict = { additionalProperties: false };
const kinds = 'an object with kind (webhook or mqtt) and what that kind takes';

const { kind: webhook, ...webhookFields } = WebhookSettings.properties;
const { kind: mqtt, ...mqttFields } = MqttSettings.properties;

/** Where events shall be sent: the kind, and those fields that shall be otherwise. */
export const SettingsInput = Type.Union(
  [
    Type.Object(
      { kind: webhook, ...Type.Partial(Type.Object(snakeFields(webhookFields))).properties },
      { ...strict, title: 'WebhookSettingsInput' },
    ),
    Type.Object(
      { kind: mqtt, ...Type.Partial(Type.Object(snakeFields(mqttFields))).properties },
      { ...strict, title: 'MqttSettingsInput' },
    ),
  ],
  { title: 'StreamOutputSettingsInput', description: kinds },
);

/** Where they are sent, every field. */
export const Settings = Type.Union(
  [
    Type.Object(snakeFields(WebhookSettings.properties), { title: 'WebhookSettings' }),
    Type.Object(snakeFields(MqttSettings.properties), { title: 'MqttSettings' }),
  ],
  { title: 'StreamOutputSettings', description: 'Where events of streams are sent, without what is secret' },
);

export const SecretsInput = Type.Object(snakeFields(OutputSecrets.properties), {
  ...strict,
  title: 'StreamOutputSecrets',
  description:
    'an object with secrets of this kind; those left out stay as they are while the receiver stays the same',
});

export const SecretNames = Type.Array(Type.String(), {
  description: 'which secrets are kept; never what they are',
});

export function fromSettings(settings: Static<typeof SettingsInput>): OutputSettingsChange {
  return toCamel(settings) as OutputSettingsChange;
}

export function fromSecrets(secrets: Static<typeof SecretsInput>): OutputSecrets {
  return toCamel(secrets);
}

export function toSettings({ settings }: Pick<StreamOutput, 'settings'>): Static<typeof Settings> {
  return settings.kind === 'webhook' ? toSnake(settings) : toSnake(settings);
}

export function toSecretNames({ secretNames }: Pick<StreamOutput, 'secretNames'>): string[] {
  return secretNames.map(toSnakeName);
}
