import { type Static, Type } from 'typebox';
import { Id, Time, TimeOrNull, toTime, toTimeOrNull } from '../../../http/api/fields.js';
import type { StreamOutput as DomainOutput } from '../output.js';
import { SecretNames, Settings, toSecretNames, toSettings } from './settings.js';

export const StreamOutput = Type.Object(
  {
    id: Id,
    uid: Type.String(),
    name: Type.String({ examples: ['home automation'] }),
    enabled: Type.Boolean(),
    settings: Settings,
    secrets: SecretNames,
    delivered_seq: Type.Integer({
      description: 'number of the last event of the account that was delivered, or is not for this output',
    }),
    failing_since: TimeOrNull,
    error: Type.Union([Type.String(), Type.Null()], {
      description: 'why it failed last, in words that may change; null while all is well',
    }),
    given_up: Type.Integer({ description: 'events that were given up' }),
    created_at: Time,
  },
  { title: 'StreamOutput', description: 'Where events of streams are sent: a webhook, or an MQTT broker' },
);

export const NewStreamOutput = Type.Object(
  {
    ...StreamOutput.properties,
    signing_key: Type.Union([Type.String(), Type.Null()], {
      description: 'the key of the signatures, where one was made: shown here and never again',
    }),
  },
  { title: 'NewStreamOutput', description: 'The output as it was made' },
);

export function toStreamOutput(output: DomainOutput): Static<typeof StreamOutput> {
  const { id, uid, name, isEnabled, deliveredSeq, failingSince, error, givenUp, createdAt } = output;
  return {
    ...{ id, uid, name },
    enabled: isEnabled,
    settings: toSettings(output),
    secrets: toSecretNames(output),
    delivered_seq: deliveredSeq,
    failing_since: toTimeOrNull(failingSince),
    error,
    given_up: givenUp,
    created_at: toTime(createdAt),
  };
}
